import { isMultipart } from '../form-field.js';
import fc from 'fast-check';
import type { Contract } from './contract.js';
import type { DeclaredBody, DeclaredMedia, Operation, Parameter } from './operation.js';
import {
  credentialsFor,
  textOfBody,
  type Credential,
  type Draft,
  type DraftBody,
} from './draft.js';
import { formContentType, formFields, isWritableForm } from './forms.js';
import { isWritableItems } from './items.js';
import { isJsonObject, PLAIN, type Json, type Spelling } from './json.js';
import { isWritable } from '../parameter-text.js';
import type { Values } from './values.js';

/** What a contract doesn't say and a client must know. */
export interface Caller {
  /** By security scheme: a token or a key that suffices for every operation. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly maxBodyBytes: number;
}

const SPELLINGS: fc.Arbitrary<Spelling> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(PLAIN) },
  fc.record({
    escapes: fc.constantFrom('needed' as const, 'beyond ASCII' as const, 'all' as const),
    space: fc.constantFrom('', ' ', '\r\n\t '),
    integers: fc.constantFrom(
      'digits' as const,
      'with fraction' as const,
      'with exponent' as const,
    ),
  }),
);

/** Requests of an operation that the contract allows. */
export function validDrafts(
  contract: Contract,
  operation: Operation,
  values: Values,
  caller: Caller,
): fc.Arbitrary<Draft> {
  const { method, parameters, querystring, body, pathMethods } = operation;
  const isAlsoHead = method === 'GET' && pathMethods.includes('HEAD');
  return fc.record({
    operation: fc.constant(operation),
    method: isAlsoHead ? fc.constantFrom('GET', 'HEAD') : fc.constant(method),
    parameters: fc
      .tuple(...parameters.map((parameter) => parameterValues(parameter, values)))
      .map((found) => found.flat()),
    // A target has less room than a body.
    querystring: bodies(querystring, values, { ...caller, maxBodyBytes: 0 }),
    body: bodies(body, values, caller),
    credentials: credentials(contract, operation, caller),
    accept: fc.constantFrom(undefined, '*/*', ...acceptable(operation)),
  });
}

function parameterValues(
  parameter: Parameter,
  values: Values,
): fc.Arbitrary<(readonly [Parameter, Json])[]> {
  const present = values
    .valid(parameter.schema)
    .filter((value) => isWritable(parameter, value))
    .map((value): (readonly [Parameter, Json])[] => [[parameter, value]]);
  return parameter.required
    ? present
    : fc.oneof(fc.constant<(readonly [Parameter, Json])[]>([]), present);
}

/** Bodies of every media type that is declared, and none where that is allowed. */
function bodies(
  declared: DeclaredBody | undefined,
  values: Values,
  caller: Caller,
): fc.Arbitrary<DraftBody | undefined> {
  const none = fc.constant(undefined);
  if (declared === undefined) return none;
  const present = [...declared.content].map(([mediaType, media]) =>
    bodiesOf(mediaType.replaceAll('*', 'x'), media, values, caller),
  );
  return fc.oneof(...(declared.required ? present : [none, ...present]));
}

function bodiesOf(
  mediaType: string,
  declared: DeclaredMedia,
  values: Values,
  { maxBodyBytes }: Caller,
): fc.Arbitrary<DraftBody> {
  const { kind, schema, encoding } = declared;
  const fieldOf = formFields(values.schemas, schema, mediaType, encoding);
  const contentTypes =
    kind === 'bytes' || isMultipart(mediaType)
      ? [formContentType(mediaType)]
      : [mediaType, `${mediaType}; charset=utf-8`, `${mediaType.toUpperCase()} ;charset="UTF-8"`];
  return (
    fc
      .record({
        mediaType: fc.constant(mediaType),
        contentType: fc.constantFrom(...contentTypes),
        declared: fc.constant(declared),
        value: values
          .valid(schema)
          .map((value) => (kind === 'form' ? saidByForm(value, fieldOf) : value)),
        spelling: SPELLINGS,
        minBytes: fc.oneof(
          { weight: 60, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.constant(maxBodyBytes) },
        ),
        fieldOf: fc.constant(fieldOf),
      })
      .filter(({ value }) => kind !== 'form' || isWritableForm(mediaType, value, fieldOf))
      .filter(({ value }) => kind !== 'items' || isWritableItems(mediaType, value))
      // An empty text is no body at all.
      .filter((body) => textOfBody(body) !== '')
  );
}

/** A form without the members that the contract doesn't name: nothing says of which type their texts are. */
function saidByForm(value: Json, fieldOf: DraftBody['fieldOf']): Json {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => fieldOf(name).schema !== true),
  );
}

/** The credentials of any one of the security requirements. */
function credentials(
  contract: Contract,
  { security }: Operation,
  { secrets }: Caller,
): fc.Arbitrary<Credential[]> {
  if (security.length === 0) return fc.constant([]);
  return fc
    .constantFrom(...security)
    .chain((requirement) =>
      fc.tuple(
        ...Object.keys(requirement).map((name) =>
          fc.constantFrom(...credentialsFor(contract, name, secrets[name] ?? '')),
        ),
      ),
    );
}

/** Ways to accept what a success is answered with. */
function acceptable({ responses }: Operation): string[] {
  const mediaTypes = [...responses]
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => [...content.keys()]);
  return mediaTypes.flatMap((mediaType) => [mediaType, `text/x-other;q=0.1, ${mediaType};q=0.5`]);
}
