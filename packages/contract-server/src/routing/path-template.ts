import { canonicalText } from './canonical-path.js';
import type { Operation } from '../operation/operation.js';

/** A path template, cut at its slashes. */
export interface PathTemplate {
  readonly text: string;
  readonly segments: readonly TemplateSegment[];
  /** In their order, over all segments. */
  readonly parameterNames: readonly string[];
}

/**
 * The text around the parameters of a segment, in canonical form: `['v1']` has no parameter,
 * `['', '']` is nothing but one, `['', '...', '.diff']` is `{base}...{head}.diff`.
 */
export type TemplateSegment = readonly string[];

/** A parameter; its name may have any character. */
const PARAMETER = /\{([^{}]*)\}/;
/** Stands for a parameter while slashes are looked for; canonical text has no such character. */
const PLACEHOLDER = '\0';

/**
 * Reads a path template (OpenAPI 3.1 §4.8.2, §4.8.8.1).
 * @returns undefined where it is malformed, or no request could match it; `report` gets why
 */
export function parsePathTemplate(
  text: string,
  report: (what: string) => void = () => undefined,
): PathTemplate | undefined {
  const literals = text.split(PARAMETER).filter((_part, index) => index % 2 === 0);
  const parameterNames = text.split(PARAMETER).filter((_part, index) => index % 2 === 1);
  const canonical = literals.map(canonicalText);
  const segments = canonical
    .join(PLACEHOLDER)
    .split('/')
    .slice(1)
    .map((segment) => segment.split(PLACEHOLDER));
  const problems: string[] = [];

  if (!text.startsWith('/')) problems.push('must begin with a slash');
  if (literals.some((literal) => /[{}]/.test(literal))) problems.push('has an unmatched brace');
  if (literals.some((literal) => /[?#]/.test(literal))) {
    problems.push('has a query or a fragment, which no path of a request has');
  }
  if (canonical.includes(undefined)) problems.push('has a percent sign that begins no encoding');
  for (const name of new Set(parameterNames)) {
    if (parameterNames.filter((other) => other === name).length > 1) {
      problems.push(`has {${name}} more than once`);
    }
  }
  if (segments.some((segment) => segment.slice(1, -1).includes(''))) {
    problems.push(
      'has two parameters with nothing between them, so that nothing says where one ends',
    );
  }
  for (const problem of problems) report(problem);
  return problems.length === 0 ? { text, segments, parameterNames } : undefined;
}

/** The names in a template and the path parameters declared for it must be the same (§4.8.12.1). */
export function checkPathParameters(
  { parameterNames, text }: PathTemplate,
  { parameters }: Operation,
  report: (what: string) => void,
): void {
  const declared = parameters.filter((parameter) => parameter.in === 'path');
  for (const { name } of declared) {
    if (!parameterNames.includes(name)) {
      report(`declares a path parameter ${name}, which is not in ${text}`);
    }
  }
  for (const name of parameterNames) {
    if (!declared.some((parameter) => parameter.name === name)) {
      report(`{${name}} of ${text} is not declared as a path parameter`);
    }
  }
}
