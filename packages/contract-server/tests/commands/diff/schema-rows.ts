import type { SchemaRow } from './row.js';

const narrowed = { request: 'breaks', response: 'compatible' } as const;
const widened = { request: 'compatible', response: 'breaks' } as const;
const both = { request: 'breaks', response: 'breaks' } as const;
const neither = { request: 'compatible', response: 'compatible' } as const;
const none = { request: 'none', response: 'none' } as const;

const string = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const a = object({ a: string });
const cat = object({ meow: string }, { required: ['meow'] });
const dog = object({ bark: string }, { required: ['bark'] });
const cow = object({ moo: string }, { required: ['moo'] });
const petSchemas = { Cat: cat, Dog: dog };
const pets = (rest: object) => ({
  oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
  discriminator: { propertyName: 'kind', ...rest },
});
const kind = (value: string) => object({ kind: { const: value } }, { required: ['kind'] });
const catOrNull = { type: ['object', 'null'], properties: { meow: string }, required: ['meow'] };
const tree = (leaf: object) => ({
  Tree: object({ leaf, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }),
});
/** A tree that is told in two parts, so that every level is put together anew. */
const splitTree = (leaf: object) => ({
  Tree: { allOf: [{ $ref: '#/components/schemas/Leafy' }, { $ref: '#/components/schemas/Node' }] },
  Leafy: object({ leaf, next: { $ref: '#/components/schemas/Tree' } }),
  Node: object({ next: { $ref: '#/components/schemas/Node' } }),
});
const treeRef = { $ref: '#/components/schemas/Tree' };
const thingRef = { $ref: '#/components/schemas/Thing' };

// prettier-ignore
export const schemaRows: readonly SchemaRow[] = [
  // properties
  { name: 'optional property added', old: a, new: object({ a: string, b: string }), ...neither, pointer: '/properties/b' },
  { name: 'required property added', old: a, new: object({ a: string, b: string }, { required: ['b'] }), ...narrowed, pointer: '/properties/b' },
  { name: 'optional property added to a closed object', old: object({ a: string }, { additionalProperties: false }), new: object({ a: string, b: string }, { additionalProperties: false }), ...widened, pointer: '/properties/b' },
  { name: 'optional property added, narrower than what others could be', old: object({ a: string }, { additionalProperties: string }), new: object({ a: string, b: { type: 'string', maxLength: 3 } }, { additionalProperties: string }), ...narrowed, pointer: '/properties/b' },
  { name: 'optional property removed', old: object({ a: string, b: string }), new: a, ...both, pointer: '/properties/b' },
  { name: 'required property removed', old: object({ a: string, b: string }, { required: ['b'] }), new: a, ...both, pointer: '/properties/b' },
  { name: 'property made required', old: a, new: object({ a: string }, { required: ['a'] }), ...narrowed, pointer: '/properties/a' },
  { name: 'property made optional', old: object({ a: string }, { required: ['a'] }), new: a, ...widened, pointer: '/properties/a' },
  { name: 'property narrowed two levels down', old: object({ in: object({ b: string }) }), new: object({ in: object({ b: { type: 'string', maxLength: 5 } }) }), ...narrowed, pointer: '/properties/in/properties/b' },
  { name: 'additionalProperties forbidden', old: a, new: object({ a: string }, { additionalProperties: false }), ...narrowed, pointer: '/additionalProperties' },
  { name: 'additionalProperties allowed', old: object({ a: string }, { additionalProperties: false }), new: a, ...widened, pointer: '/additionalProperties' },
  { name: 'additionalProperties: true said aloud', old: a, new: object({ a: string }, { additionalProperties: true }), ...none },
  { name: 'additionalProperties narrowed', old: object({}, { additionalProperties: { type: 'number' } }), new: object({}, { additionalProperties: integer }), ...narrowed, pointer: '/additionalProperties' },
  { name: 'patternProperties changed', old: object({}, { patternProperties: { '^x-': string } }), new: object({}, { patternProperties: { '^x-': integer } }), ...both, pointer: '/patternProperties/^x-' },
  { name: 'minProperties raised', old: { type: 'object', minProperties: 1 }, new: { type: 'object', minProperties: 2 }, ...narrowed },
  { name: 'propertyNames narrowed', old: { type: 'object' }, new: { type: 'object', propertyNames: { maxLength: 3 } }, ...narrowed, pointer: '/propertyNames' },
  { name: 'dependentRequired added', old: { type: 'object' }, new: { type: 'object', dependentRequired: { a: ['b'] } }, ...narrowed },

  // types
  { name: 'type widened', old: object({ a: integer }), new: object({ a: { type: 'number' } }), ...widened, pointer: '/properties/a' },
  { name: 'type narrowed', old: object({ a: { type: 'number' } }), new: object({ a: integer }), ...narrowed, pointer: '/properties/a' },
  { name: 'type replaced', old: object({ a: string }), new: object({ a: integer }), ...both, pointer: '/properties/a' },
  { name: 'type added to a schema without one', old: object({ a: {} }), new: object({ a: string }), ...narrowed, pointer: '/properties/a' },
  { name: 'type list with one member', old: string, new: { type: ['string'] }, ...none },
  { name: 'second type added', old: string, new: { type: ['string', 'integer'] }, ...widened },
  { name: 'null allowed (3.1)', old: string, new: { type: ['string', 'null'] }, ...widened },
  { name: 'null refused (3.1)', old: { type: ['string', 'null'] }, new: string, ...narrowed },
  { name: 'nullable set (3.0)', openapi: '3.0.3', old: string, new: { type: 'string', nullable: true }, ...widened },
  { name: 'nullable unset (3.0)', openapi: '3.0.3', old: { type: 'string', nullable: true }, new: string, ...narrowed },
  { name: 'nullable: false said aloud (3.0)', openapi: '3.0.3', old: string, new: { type: 'string', nullable: false }, ...none },
  { name: 'null as a branch instead of a type', old: { type: ['string', 'null'] }, new: { anyOf: [string, { type: 'null' }] }, ...none },
  { name: 'null as a branch beside a reference', old: catOrNull, new: { oneOf: [thingRef, { type: 'null' }] }, ...none, oldComponents: { Thing: cat } },

  // enum, const
  { name: 'enum value added', old: { enum: ['a', 'b'] }, new: { enum: ['a', 'b', 'c'] }, ...widened },
  { name: 'enum value removed', old: { enum: ['a', 'b'] }, new: { enum: ['a'] }, ...narrowed },
  { name: 'enum value replaced', old: { enum: ['a', 'b'] }, new: { enum: ['a', 'c'] }, ...both },
  { name: 'enum reordered', old: { enum: ['a', 'b'] }, new: { enum: ['b', 'a'] }, ...none },
  { name: 'enum introduced', old: string, new: { type: 'string', enum: ['a'] }, ...narrowed },
  { name: 'enum lifted', old: { type: 'string', enum: ['a'] }, new: string, ...widened },
  { name: 'const instead of an enum of one', old: { enum: ['a'] }, new: { const: 'a' }, ...none },
  { name: 'const changed', old: { const: 'a' }, new: { const: 'b' }, ...both },

  // bounds
  { name: 'minimum raised', old: { type: 'integer', minimum: 1 }, new: { type: 'integer', minimum: 2 }, ...narrowed },
  { name: 'minimum lowered', old: { type: 'integer', minimum: 1 }, new: { type: 'integer', minimum: 0 }, ...widened },
  { name: 'minimum added', old: integer, new: { type: 'integer', minimum: 0 }, ...narrowed },
  { name: 'maximum raised', old: { type: 'number', maximum: 1 }, new: { type: 'number', maximum: 2 }, ...widened },
  { name: 'maximum lowered', old: { type: 'number', maximum: 2 }, new: { type: 'number', maximum: 1 }, ...narrowed },
  { name: 'maximum removed', old: { type: 'number', maximum: 2 }, new: { type: 'number' }, ...widened },
  { name: 'both bounds moved up', old: { type: 'integer', minimum: 1, maximum: 5 }, new: { type: 'integer', minimum: 2, maximum: 6 }, ...both },
  { name: 'bound made exclusive (3.1)', old: { type: 'number', minimum: 1 }, new: { type: 'number', exclusiveMinimum: 1 }, ...narrowed },
  { name: 'bound made exclusive (3.0)', openapi: '3.0.3', old: { type: 'number', maximum: 1 }, new: { type: 'number', maximum: 1, exclusiveMaximum: true }, ...narrowed },
  { name: 'exclusive bound of an integer told inclusively', old: { type: 'integer', exclusiveMinimum: 0 }, new: { type: 'integer', minimum: 1 }, ...none },
  { name: 'multipleOf made coarser', old: { type: 'integer', multipleOf: 2 }, new: { type: 'integer', multipleOf: 4 }, ...narrowed },
  { name: 'multipleOf replaced', old: { type: 'integer', multipleOf: 2 }, new: { type: 'integer', multipleOf: 3 }, ...both },

  // strings
  { name: 'minLength raised', old: { type: 'string', minLength: 1 }, new: { type: 'string', minLength: 2 }, ...narrowed },
  { name: 'minLength 0 said aloud', old: string, new: { type: 'string', minLength: 0 }, ...none },
  { name: 'maxLength lowered', old: { type: 'string', maxLength: 9 }, new: { type: 'string', maxLength: 8 }, ...narrowed },
  { name: 'maxLength raised', old: { type: 'string', maxLength: 9 }, new: { type: 'string', maxLength: 10 }, ...widened },
  { name: 'pattern added', old: string, new: { type: 'string', pattern: '^a' }, ...narrowed },
  { name: 'pattern removed', old: { type: 'string', pattern: '^a' }, new: string, ...widened },
  { name: 'pattern changed', old: { type: 'string', pattern: '^a' }, new: { type: 'string', pattern: '^[ab]' }, ...both },
  { name: 'format added', old: string, new: { type: 'string', format: 'uuid' }, ...narrowed },
  { name: 'format removed', old: { type: 'string', format: 'uuid' }, new: string, ...widened },
  { name: 'format changed', old: { type: 'string', format: 'date' }, new: { type: 'string', format: 'date-time' }, ...both },
  { name: 'format that hides a text', old: string, new: { type: 'string', format: 'password' }, ...none },
  { name: 'format that every JSON number has', old: { type: 'number' }, new: { type: 'number', format: 'double' }, ...none },
  { name: 'numbers of single precision only', old: { type: 'number', format: 'double' }, new: { type: 'number', format: 'float' }, ...narrowed },
  { name: 'contentMediaType changed', old: { type: 'string', contentMediaType: 'image/png' }, new: { type: 'string', contentMediaType: 'image/gif' }, ...both },
  { name: 'format widened', old: { type: 'integer', format: 'int32' }, new: { type: 'integer', format: 'int64' }, ...widened },
  { name: 'format narrowed', old: { type: 'integer', format: 'int64' }, new: { type: 'integer', format: 'int32' }, ...narrowed },
  { name: 'keyword that says nothing of the type', old: integer, new: { type: 'integer', maxLength: 3 }, ...none },

  // arrays
  { name: 'items narrowed', old: { type: 'array', items: { type: 'number' } }, new: { type: 'array', items: integer }, ...narrowed, pointer: '/items' },
  { name: 'maxItems lowered', old: { type: 'array', maxItems: 9 }, new: { type: 'array', maxItems: 8 }, ...narrowed },
  { name: 'uniqueItems set', old: { type: 'array' }, new: { type: 'array', uniqueItems: true }, ...narrowed },
  { name: 'prefixItems narrowed', old: { type: 'array', prefixItems: [string, { type: 'number' }] }, new: { type: 'array', prefixItems: [string, integer] }, ...narrowed, pointer: '/prefixItems/1' },
  { name: 'contains added', old: { type: 'array' }, new: { type: 'array', contains: string }, ...narrowed },

  // composition
  { name: 'oneOf branch added', old: { oneOf: [cat, dog] }, new: { oneOf: [cat, dog, cow] }, ...widened, pointer: '/oneOf/2' },
  { name: 'oneOf branch removed', old: { oneOf: [cat, dog, cow] }, new: { oneOf: [cat, dog] }, ...narrowed, pointer: '/oneOf/2' },
  { name: 'anyOf branch added', old: { anyOf: [string] }, new: { anyOf: [string, integer] }, ...widened, pointer: '/anyOf/1' },
  { name: 'anyOf branch removed', old: { anyOf: [string, integer] }, new: { anyOf: [string] }, ...narrowed, pointer: '/anyOf/1' },
  { name: 'oneOf branches reordered', old: { oneOf: [cat, dog] }, new: { oneOf: [dog, cat] }, ...none },
  { name: 'oneOf branch narrowed', old: { oneOf: [cat, string] }, new: { oneOf: [cat, { type: 'string', maxLength: 3 }] }, ...narrowed, pointer: '/oneOf/1' },
  { name: 'optional property added to a oneOf branch', old: { oneOf: [cat, string] }, new: { oneOf: [object({ meow: string, purr: string }, { required: ['meow'] }), string] }, ...neither, pointer: '/oneOf/0/properties/purr' },
  { name: 'anyOf branch removed that admitted more', old: { anyOf: [{ type: 'object', minProperties: 1 }, a] }, new: { anyOf: [a] }, ...narrowed, pointer: '/anyOf/0' },
  { name: 'alternatives added beside properties', old: object({ a: string, b: string }), new: object({ a: string, b: string }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }), ...narrowed, pointer: '/anyOf' },
  { name: 'one schema made a branch of several', old: cat, new: { oneOf: [cat, dog] }, ...widened, pointer: '/oneOf/1' },
  { name: 'allOf taken apart', old: { allOf: [cat, dog] }, new: object({ meow: string, bark: string }, { required: ['meow', 'bark'] }), ...none },
  { name: 'allOf with a bound of its own', old: { type: 'integer', minimum: 2 }, new: { allOf: [integer, { minimum: 1 }, { minimum: 2 }] }, ...none },
  { name: 'allOf with one more part', old: { allOf: [cat] }, new: { allOf: [cat, { required: ['purr'] }] }, ...narrowed, pointer: '/properties/purr' },
  { name: 'property said twice in allOf, narrowed in one', old: { allOf: [a, object({ a: { minLength: 1 } })] }, new: { allOf: [a, object({ a: { minLength: 2 } })] }, ...narrowed, pointer: '/allOf/1/properties/a' },
  { name: 'not narrowed', old: { not: { type: 'string', maxLength: 3 } }, new: { not: { type: 'string', maxLength: 2 } }, ...widened, pointer: '/not' },
  { name: 'not widened', old: { not: { type: 'string', maxLength: 3 } }, new: { not: string }, ...narrowed, pointer: '/not' },
  { name: 'if and then changed', old: { if: string, then: { maxLength: 3 } }, new: { if: string, then: { maxLength: 4 } }, ...both },
  { name: 'discriminator renamed', old: { oneOf: [cat, dog], discriminator: { propertyName: 'kind' } }, new: { oneOf: [cat, dog], discriminator: { propertyName: 'type' } }, ...both },

  { name: 'discriminator mapped to the names of the schemas', old: pets({}), new: pets({ mapping: { Cat: '#/components/schemas/Cat', Dog: 'Dog' } }), ...none, oldComponents: petSchemas },
  { name: 'discriminator value renamed', old: pets({ mapping: { cat: 'Cat', dog: 'Dog' } }), new: pets({ mapping: { cat: 'Cat', hound: 'Dog' } }), ...both, oldComponents: petSchemas },
  { name: 'discriminator value added', old: pets({ mapping: { cat: 'Cat', dog: 'Dog' } }), new: pets({ mapping: { cat: 'Cat', dog: 'Dog', hound: 'Dog' } }), ...widened, oldComponents: petSchemas },
  { name: 'discriminator values exchanged', old: pets({ mapping: { cat: 'Cat', dog: 'Dog' } }), new: pets({ mapping: { cat: 'Dog', dog: 'Cat' } }), ...both, oldComponents: petSchemas },
  { name: 'discriminator that each branch has by a constant', old: { oneOf: [kind('a'), kind('b')] }, new: { oneOf: [kind('a'), kind('b')], discriminator: { propertyName: 'kind' } }, ...none },

  // references
  { name: 'reference inlined', old: thingRef, new: cat, ...none, oldComponents: { Thing: cat } },
  { name: 'component renamed', old: thingRef, new: { $ref: '#/components/schemas/Other' }, ...none, oldComponents: { Thing: cat }, newComponents: { Other: cat } },
  { name: 'narrowed behind a reference', old: thingRef, new: thingRef, ...narrowed, definition: '/components/schemas/Thing/properties/a', oldComponents: { Thing: a }, newComponents: { Thing: object({ a: { type: 'string', maxLength: 3 } }) } },
  { name: 'keyword beside a reference (3.1)', old: thingRef, new: { ...thingRef, maxLength: 3 }, ...narrowed, oldComponents: { Thing: string } },
  { name: 'keyword beside a reference, which is ignored (3.0)', openapi: '3.0.3', old: thingRef, new: { ...thingRef, maxLength: 3 }, ...none, oldComponents: { Thing: string } },
  { name: 'recursive schema as it was', old: treeRef, new: treeRef, ...none, oldComponents: tree(string), newComponents: tree({ ...string, description: 'Green.' }) },
  { name: 'recursive schema narrowed', old: treeRef, new: treeRef, ...narrowed, definition: '/components/schemas/Tree/properties/leaf', oldComponents: tree(string), newComponents: tree({ type: 'string', maxLength: 3 }) },
  { name: 'recursive schema in parts narrowed', old: treeRef, new: treeRef, ...narrowed, definition: '/components/schemas/Leafy/properties/leaf', oldComponents: splitTree(string), newComponents: splitTree({ type: 'string', maxLength: 3 }) },
  { name: 'recursive schema unrolled once', old: treeRef, new: tree(string).Tree, ...none, oldComponents: tree(string) },

  // directions, annotations
  { name: 'property made readOnly', old: a, new: object({ a: { type: 'string', readOnly: true } }), request: 'breaks', response: 'none', pointer: '/properties/a' },
  { name: 'property no longer readOnly', old: object({ a: { type: 'string', readOnly: true } }), new: a, request: 'compatible', response: 'none', pointer: '/properties/a' },
  { name: 'required property no longer readOnly', old: object({ a: { type: 'string', readOnly: true } }, { required: ['a'] }), new: object({ a: string }, { required: ['a'] }), request: 'breaks', response: 'none', pointer: '/properties/a' },
  { name: 'property made writeOnly', old: a, new: object({ a: { type: 'string', writeOnly: true } }), request: 'none', response: 'breaks', pointer: '/properties/a' },
  { name: 'property no longer writeOnly', old: object({ a: { type: 'string', writeOnly: true } }), new: a, request: 'none', response: 'compatible', pointer: '/properties/a' },
  { name: 'default changed', old: object({ a: { type: 'string', default: 'a' } }), new: object({ a: { type: 'string', default: 'b' } }), ...narrowed, pointer: '/properties/a' },
  { name: 'default removed', old: object({ a: { type: 'string', default: 'a' } }), new: a, ...narrowed, pointer: '/properties/a' },
  { name: 'default added', old: a, new: object({ a: { type: 'string', default: 'a' } }), ...neither, pointer: '/properties/a' },
  { name: 'default of what is required changed', old: object({ a: { type: 'string', default: 'a' } }, { required: ['a'] }), new: object({ a: { type: 'string', default: 'b' } }, { required: ['a'] }), ...none },
  { name: 'default of items changed', old: { type: 'array', items: { type: 'string', default: 'a' } }, new: { type: 'array', items: string }, ...none },
  { name: 'deprecated', old: object({ a: string }), new: object({ a: { type: 'string', deprecated: true } }), ...neither, pointer: '/properties/a' },
  { name: 'description, title and examples only', old: a, new: object({ a: { type: 'string', description: 'It.', title: 'A', examples: ['x'] } }, { description: 'A thing.', example: { a: 'x' } }), ...none },
  { name: 'extension only', old: a, new: { ...a, 'x-order': 1 }, ...none },
];
