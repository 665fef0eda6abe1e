import { isObject, type ContractDocument, type Operation } from 'contract-server/contract';

/** A security scheme that operations ask for. */
export type Scheme =
  | { readonly name: string; readonly kind: 'bearer' | 'basic' }
  | {
      readonly name: string;
      readonly kind: 'apiKey';
      readonly in: 'header' | 'query' | 'cookie';
      readonly key: string;
    }
  | { readonly name: string; readonly kind: 'unsupported'; readonly httpScheme: string };

/** The schemes that operations of a contract ask for, and what proves who one is by each. */
export function listSchemes(
  document: ContractDocument,
  operations: readonly Operation[],
): Scheme[] {
  const names = operations.flatMap(({ security }) => security.flatMap((one) => Object.keys(one)));
  const schemes = document.root.components?.securitySchemes ?? {};
  return [...new Set(names)].map((name) => {
    const object = document.resolve(schemes[name]);
    const { type, scheme, in: place, name: key } = isObject(object) ? object : {};
    if (type === 'apiKey' && (place === 'header' || place === 'query' || place === 'cookie'))
      return { name, kind: 'apiKey', in: place, key: String(key) };
    const httpScheme = type === 'http' ? String(scheme).toLowerCase() : 'bearer';
    if (httpScheme === 'bearer' || httpScheme === 'basic') return { name, kind: httpScheme };
    return { name, kind: 'unsupported', httpScheme: String(scheme) };
  });
}

/** The first alternative of an operation's security whose schemes all have a strategy. */
export function usableSchemes(
  { security }: Operation,
  schemes: readonly Scheme[],
): readonly string[] | undefined {
  if (security.length === 0) return [];
  const isUsable = (name: string): boolean =>
    schemes.some((scheme) => scheme.name === name && scheme.kind !== 'unsupported');
  return security.map((one) => Object.keys(one)).find((names) => names.every(isUsable));
}

/** Every scope that an operation of the contract asks for. */
export function listScopes(operations: readonly Operation[]): string[] {
  const scopes = operations.flatMap(({ security }) =>
    security.flatMap((one) => Object.values(one).flat()),
  );
  return [...new Set(scopes)];
}
