import express from 'express';
import type { ContractDocument } from '../document/document.js';
import {
  BrokenResponseError,
  createPreparation,
  type PreparedResponse,
} from '../message/prepared-response.js';
import type { Operation } from '../operation/operation.js';
import type { Problem } from '../validation/problem.js';
import { createValidatorLookup, type OperationValidator } from '../validation/validator.js';
import type { MockAnswer } from './mock-answers.js';

/** What of an answer breaks the contract, a line each. */
export type AnswerProblems = (answer: MockAnswer) => Promise<string[]>;

/** Builds what judges the answers of one of these operations, as the engine does before it sends them. */
export async function createAnswerJudge(
  document: ContractDocument,
  operations: readonly Operation[],
  operation: Operation,
): Promise<AnswerProblems> {
  const prepare = createPreparation(document, operation);
  const validatorOf = lookups.get(document) ?? createValidatorLookup(document, operations);
  lookups.set(document, validatorOf);
  const { validateResponse } = await validatorOf(operation);

  return async (answer) => {
    let prepared: PreparedResponse;
    try {
      // No request: it would be asked what it accepts where an answer names no media type, as none does.
      prepared = prepare(express.request, {}, answer);
    } catch (error) {
      if (error instanceof BrokenResponseError) return error.problems.map(lineOf);
      return [String(error)];
    }
    const { declared, mediaType, judged } = prepared;
    const problems = await new Promise<readonly Problem[]>((use, fail) => {
      validateResponse(declared, mediaType, judged, { use, fail });
    });
    return problems.map(lineOf);
  };
}

/** One for each contract: its operations share what costs most to build. */
const lookups = new WeakMap<
  ContractDocument,
  (operation: Operation) => Promise<OperationValidator>
>();

function lineOf({ pointer, message }: Problem): string {
  return `${pointer}: ${message}`;
}
