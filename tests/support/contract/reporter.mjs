// Jest loads reporters as they are, so it gets this one, and this one the TypeScript.
import { tsImport } from 'tsx/esm/api';

const { CoverageReporter } = await tsImport('./coverage-reporter.ts', import.meta.url);
export default CoverageReporter;
