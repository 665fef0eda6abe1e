/** Answers from a contract alone: its examples, or values that are made from its schemas. */
export { errorBodyOf, PROBLEM_DETAILS, type ErrorMembers, type ErrorSource } from './error-body.js';
export { findErrorShape, type ErrorShape } from './error-shape.js';
export { createMockApp, type MockOptions } from './mock-app.js';
export { mockErrorBody } from './mock-error-body.js';
export { mock, mockHandlers } from './mock-handler.js';
export { candidateRequests, type MockRequest } from './mock-request.js';
