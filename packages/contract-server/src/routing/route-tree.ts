import type { PathTemplate, TemplateSegment } from './path-template.js';

/** What a path leads to, and what its parameters are, in the order of the template. */
export interface Route<Value> {
  readonly value: Value;
  readonly parameters: readonly string[];
}

/** The segments that may follow one beginning of a path, from the most to the least concrete. */
interface Node<Value> {
  readonly literals: Map<string, Node<Value>>;
  /** Segments of text and parameters; see {@link compareMixed} for their order. */
  readonly mixed: { readonly segment: TemplateSegment; readonly node: Node<Value> }[];
  /** A segment that is nothing but a parameter. */
  parameter: Node<Value> | undefined;
  /** For a path that ends here. */
  leaf: { readonly value: Value } | undefined;
}

/**
 * Finds what belongs to the path template that a path matches. Segment by segment, the concrete comes
 * before the templated (OpenAPI 3.1 §4.8.8); where that leads nowhere, the next best is tried. What a
 * look-up costs depends on the path and on the templates that begin like it, not on how many there are.
 */
export class RouteTree<Value> {
  readonly #root: Node<Value> = createNode();
  /** Whole paths without a parameter. No templated path could be preferred to one. */
  readonly #concrete = new Map<string, Route<Value>>();

  /**
   * The value of a template, created when it is first asked for. Templates that differ only in the names
   * of their parameters match the same paths, and share a value.
   */
  valueAt({ segments }: PathTemplate, create: () => Value): Value {
    let node = this.#root;
    for (const segment of segments) node = childOf(node, segment);
    if (node.leaf === undefined) {
      node.leaf = { value: create() };
      if (segments.every((segment) => segment.length === 1)) {
        this.#concrete.set(`/${segments.join('/')}`, { ...node.leaf, parameters: [] });
      }
    }
    return node.leaf.value;
  }

  /** @param path in canonical form */
  find(path: string): Route<Value> | undefined {
    const concrete = this.#concrete.get(path);
    if (concrete !== undefined) return concrete;
    const parameters: string[] = [];
    const leaf = findLeaf(this.#root, path, 1, parameters);
    return leaf && { value: leaf.value, parameters };
  }
}

function findLeaf<Value>(
  node: Node<Value>,
  path: string,
  start: number,
  values: string[],
): Node<Value>['leaf'] {
  if (start > path.length) return node.leaf;
  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  const text = path.slice(start, end);

  const literal = node.literals.get(text);
  if (literal !== undefined) {
    const leaf = findLeaf(literal, path, end + 1, values);
    if (leaf !== undefined) return leaf;
  }
  const count = values.length;
  for (const { segment, node: next } of node.mixed) {
    if (matchMixed(segment, text, values)) {
      const leaf = findLeaf(next, path, end + 1, values);
      if (leaf !== undefined) return leaf;
    }
    values.length = count;
  }
  // A parameter has a value: `/things/` has none for `/things/{id}`.
  if (node.parameter === undefined || text === '') return undefined;
  values.push(text);
  const leaf = findLeaf(node.parameter, path, end + 1, values);
  if (leaf === undefined) values.length = count;
  return leaf;
}

/**
 * Matches text and parameters, each of which ends where the text after it first comes; only the last
 * reaches to the end. Every path that could match does, in time linear in its length, which no
 * regular expression with as many parameters could promise.
 */
function matchMixed(segment: TemplateSegment, text: string, values: string[]): boolean {
  const [prefix = ''] = segment;
  const suffix = segment.at(-1) ?? '';
  const end = text.length - suffix.length;
  if (!text.startsWith(prefix) || !text.endsWith(suffix)) return false;
  let start = prefix.length;
  for (let index = 1; index < segment.length; index++) {
    const literal = segment[index] ?? '';
    const at = index === segment.length - 1 ? end : text.indexOf(literal, start + 1);
    if (at <= start) return false;
    values.push(text.slice(start, at));
    start = at + literal.length;
  }
  return true;
}

function createNode<Value>(): Node<Value> {
  return { literals: new Map(), mixed: [], parameter: undefined, leaf: undefined };
}

/** The node after a segment; made where there is none. */
function childOf<Value>(parent: Node<Value>, segment: TemplateSegment): Node<Value> {
  if (segment.length === 1) {
    const [text = ''] = segment;
    const node = parent.literals.get(text) ?? createNode();
    parent.literals.set(text, node);
    return node;
  }
  if (segment.length === 2 && segment.every((text) => text === '')) {
    return (parent.parameter ??= createNode());
  }
  const key = JSON.stringify(segment);
  const known = parent.mixed.find((child) => JSON.stringify(child.segment) === key);
  if (known !== undefined) return known.node;
  const node = createNode<Value>();
  parent.mixed.push({ segment, node });
  parent.mixed.sort((a, b) => compareMixed(a.segment, b.segment));
  return node;
}

/**
 * The segment with more text is the more concrete one; then the one with fewer parameters; then the one
 * that the contract has first.
 */
function compareMixed(a: TemplateSegment, b: TemplateSegment): number {
  return b.join('').length - a.join('').length || a.length - b.length;
}
