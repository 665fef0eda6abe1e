// Loaded into the service by `node --import`: what imports jose from then on fails.
import { register } from 'node:module';

const hooks = `export function resolve(specifier, context, next) {
  if (specifier === 'jose') throw new Error('jose was loaded');
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
