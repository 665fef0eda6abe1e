/** Answers from a contract alone: its examples, or values that are made from its schemas. */
export { mock, mockHandlers } from './mock-handler.js';
