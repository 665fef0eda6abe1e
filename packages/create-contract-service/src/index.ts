export { runCommandLine } from './cli.js';
export { createProject, type ProjectOptions } from './create.js';
export { ProjectError } from './project-error.js';
export { findSampleRequest, type Credentials, type SampleRequest } from './sample-requests.js';
