/** Answers from a contract alone: its examples, or values that are made from its schemas. */
export {
  errorBodyOf,
  findErrorShape,
  type ErrorMembers,
  type ErrorShape,
  type ErrorSource,
} from './error-shape.js';
export { createMockApp, mockErrorBody, type MockOptions } from './mock-app.js';
export { mock, mockHandlers } from './mock-handler.js';
export { candidateRequests, type MockRequest } from './mock-request.js';
