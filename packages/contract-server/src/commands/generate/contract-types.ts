import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import type { ContractDocument } from '../../document/document.js';
import { parseContract } from '../../document/read-contract.js';
import { parseSource } from '../../document/source-text.js';
import { listOperations } from '../../operation/operation.js';
import { checkOperations } from '../../operation-check.js';
import { CONSTANTS, spellIntegers } from './exact-constants.js';
import { FORM_FILE } from './form-schema.js';
import { importsOf, type FormatTypes } from './format-types.js';
import { MAPPED } from './schema-view.js';
import { showHashes } from './operation-names.js';
import { generatorInput, type GeneratorInput } from './generator-input.js';
import { ITEMS } from './spelled-messages.js';

const { factory } = ts;

/**
 * The TypeScript of a contract: the types `paths`, `components` and `operations`, and the contract's
 * digest, by which a service sees at its start that it was compiled against another contract. Members
 * of `format: int64` or `uint64` are `bigint`, because a `number` is exact only to 2^53; so are those with
 * a constant beyond it.
 * @param contract a document, or the text of one
 * @param formats the types that handlers get and return in place of texts of these formats
 * @throws ContractError
 */
export async function contractTypes(
  contract: ContractDocument | string,
  formats: FormatTypes = new Map(),
): Promise<string> {
  const document =
    typeof contract === 'string' ? await parseContract(parseSource(contract, '')) : contract;
  const operations = listOperations(document);
  const unsupported = new Set(
    [...checkOperations(document, operations).unsupported.keys()].map((one) => one.operationId),
  );
  const input = generatorInput(document.root, new Set(formats.keys()));
  const declarations = await declare(input.exchanges, formats);
  const received = operationsIn(await declare(input.received, formats));
  const declared = declarations.map((node) =>
    isOperations(node) ? addToOperations(node, { ...input, received, unsupported }) : node,
  );
  return [
    `// Written by "npm run generate" from the contract. Don't edit: edit the contract.\n`,
    ...importsOf(formats),
    `/** Of the contract: a service that was compiled against another one doesn't start. */`,
    `export const contractDigest = '${document.digest}';\n`,
    astToString(declared),
  ].join('\n');
}

async function declare(document: object, formats: FormatTypes): Promise<ts.Node[]> {
  const declarations = await openapiTS(spellIntegers(document) as OpenAPI3, {
    // An object of which nothing is said may have any member.
    emptyObjectsUnknown: true,
    // The input says which members always have their default.
    defaultNonNullable: false,
    postTransform: (type) => {
      const item = itemIn(type);
      return item && factory.createTypeReferenceNode('AsyncIterable', [item]);
    },
    transform: (schema) => {
      if (FORM_FILE in schema) return fileType(schema[FORM_FILE] === 'received');
      const types = typesOf(schema, formats);
      if (types === undefined) return undefined;
      const nullable =
        ('nullable' in schema && schema.nullable) ||
        (Array.isArray(schema.type) && schema.type.includes('null'));
      return unionOf(nullable ? [...types.filter((type) => type !== 'null'), 'null'] : types);
    },
  });
  return showHashes(declarations);
}

/** The types of a schema that has some of its own, whatever its `type` says, as they are written. */
function typesOf(
  schema: { format?: string; [CONSTANTS]?: readonly string[] },
  formats: FormatTypes,
): readonly string[] | undefined {
  if (schema[CONSTANTS] !== undefined) return schema[CONSTANTS];
  if (schema.format === 'int64' || schema.format === 'uint64') return ['bigint'];
  const mapped = MAPPED in schema ? formats.get(schema.format ?? '') : undefined;
  return mapped && [mapped.type];
}

function unionOf(types: readonly string[]): ts.TypeNode {
  const nodes = types.map((type) => factory.createTypeReferenceNode(type));
  const [only, ...others] = nodes;
  return only !== undefined && others.length === 0 ? only : factory.createUnionTypeNode(nodes);
}

/** The type of an item, where the input has a mark that there may be many. */
function itemIn(type: ts.TypeNode): ts.TypeNode | undefined {
  const [member] = ts.isTypeLiteralNode(type) ? type.members : [];
  return member && ts.isPropertySignature(member) && nameOf(member) === ITEMS
    ? member.type
    : undefined;
}

function fileType(isReceived: boolean): ts.TypeNode {
  if (!isReceived) return factory.createTypeReferenceNode('Blob');
  const engine = factory.createLiteralTypeNode(factory.createStringLiteral('contract-server'));
  return factory.createImportTypeNode(engine, undefined, factory.createIdentifier('FormFile'));
}

function isOperations(node: ts.Node): node is ts.InterfaceDeclaration {
  return ts.isInterfaceDeclaration(node) && node.name.text === 'operations';
}

/** What is generated of each operation, by operationId. */
function operationsIn(declarations: readonly ts.Node[]): Map<string, ts.TypeLiteralNode> {
  const members = declarations.filter(isOperations).flatMap(({ members }) => [...members]);
  return new Map(
    members.flatMap((member) => {
      const name = nameOf(member);
      return name !== undefined && isLiteral(member) ? [[name, member.type]] : [];
    }),
  );
}

/** By operationId. */
interface AddedTypes extends Pick<GeneratorInput, 'security'> {
  readonly received: ReadonlyMap<string, ts.TypeLiteralNode>;
  readonly unsupported: ReadonlySet<string>;
}

/**
 * Adds what openapi-typescript doesn't say of operations: their security, what a handler gets, and
 * whether they can be served.
 */
function addToOperations(
  operations: ts.InterfaceDeclaration,
  { security, received, unsupported }: AddedTypes,
): ts.InterfaceDeclaration {
  const members = operations.members.map((member) => {
    const id = nameOf(member) ?? '';
    if (!isLiteral(member)) return member;
    const request = received
      .get(id)
      ?.members.filter((part) => ['parameters', 'requestBody'].includes(nameOf(part) ?? ''));
    const responses = received.get(id)?.members.find((part) => nameOf(part) === 'responses');
    const added = [
      property('security', unionOfTexts(security.get(id) ?? [])),
      ...(request === undefined
        ? []
        : [property('received', factory.createTypeLiteralNode(request))]),
      ...(responses && isLiteral(responses) ? [property('returned', responses.type)] : []),
      ...(unsupported.has(id)
        ? [property('unsupported', factory.createLiteralTypeNode(factory.createTrue()))]
        : []),
    ];
    const type = factory.createTypeLiteralNode([...member.type.members, ...added]);
    const { modifiers, name, questionToken } = member;
    return factory.updatePropertySignature(member, modifiers, name, questionToken, type);
  });
  const { modifiers, name, typeParameters, heritageClauses } = operations;
  return factory.updateInterfaceDeclaration(
    ...([operations, modifiers, name, typeParameters, heritageClauses, members] as const),
  );
}

/** A union of texts and `undefined`; `never` of none. */
function unionOfTexts(names: Iterable<string | undefined>): ts.TypeNode {
  const types = [...names].map((name) =>
    name === undefined
      ? factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)
      : factory.createLiteralTypeNode(factory.createStringLiteral(name)),
  );
  if (types.length > 0) return factory.createUnionTypeNode(types);
  return factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);
}

function property(name: string, type: ts.TypeNode): ts.PropertySignature {
  return factory.createPropertySignature(undefined, name, undefined, type);
}

function nameOf({ name }: ts.TypeElement): string | undefined {
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name))
    ? name.text
    : undefined;
}

function isLiteral(
  member: ts.TypeElement,
): member is ts.PropertySignature & { readonly type: ts.TypeLiteralNode } {
  return (
    ts.isPropertySignature(member) && member.type !== undefined && ts.isTypeLiteralNode(member.type)
  );
}
