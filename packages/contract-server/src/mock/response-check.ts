import express from 'express';
import type { ContractDocument } from '../document/document.js';
import { BrokenResponseError } from '../message/fault.js';
import { createItemWriters } from '../message/item-responder.js';
import { createSerializer, type SerializedResult } from '../message/serialize.js';
import type { Operation } from '../operation/operation.js';
import type { Problem } from '../validation/problem.js';
import { createValidatorLookup, type ValidatorLookup } from '../validation/validator.js';
import type { MockResponse } from './mock-response.js';

/** Resolves with a line for each violation of the contract by a response. */
export type ResponseProblems = (response: MockResponse) => Promise<string[]>;

/** Builds the check of one operation's mock responses, by what the engine checks responses with. */
export async function createResponseCheck(
  document: ContractDocument,
  operations: readonly Operation[],
  operation: Operation,
): Promise<ResponseProblems> {
  const serialize = createSerializer(document, operation);
  const lookup = lookups.get(document) ?? createValidatorLookup(document, operations);
  lookups.set(document, lookup);
  const validatorOf = await lookup;
  const validator = await validatorOf(operation);

  const writerOf = createItemWriters(document, operation, validator);

  async function check({ validated, items }: SerializedResult): Promise<readonly Problem[]> {
    const problems = await validator.validateResponse(validated);
    if (items === undefined || problems.length > 0) return problems;
    const writer = writerOf(validated);
    let index = 0;
    for await (const item of items) await writer?.write(item, index++);
    return [];
  }

  return async (response) => {
    try {
      // The request would only be asked what it accepts, and mock responses name their media type.
      const problems = await check(serialize(express.request, {}, response));
      return problems.map(lineOf);
    } catch (error) {
      if (error instanceof BrokenResponseError) return error.problems.map(lineOf);
      return [String(error)];
    }
  };
}

/** A lookup for each contract: its operations share the validator, which costs most to build. */
const lookups = new WeakMap<ContractDocument, Promise<ValidatorLookup>>();

function lineOf({ pointer, message }: Problem): string {
  return `${pointer}: ${message}`;
}
