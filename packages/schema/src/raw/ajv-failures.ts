/** ajv's errors -> failures with readable paths. */
import { shorten, type Failure } from '@sigil-mcp/base';
import type { AjvError } from './load-ajv';
import { mostFailures } from '../read/traversal';

/** The first failures, in ajv's order. */
export function ajvFailures(errors: readonly AjvError[]): readonly Failure[] {
  return errors.slice(0, mostFailures).map(toFailure);
}

function toFailure({ instancePath, keyword, params, message = 'is not valid' }: AjvError): Failure {
  const path = shorten(toPath(instancePath), 300);
  switch (keyword) {
    case 'required':
      return { path: join(path, params['missingProperty']), message: 'is required' };
    case 'additionalProperties':
      return { path: join(path, params['additionalProperty']), message: 'is not a known property' };
    case 'unevaluatedProperties':
      return { path: join(path, params['unevaluatedProperty']), message: 'is not a known property' };
    case 'enum':
      return { path, message: `must be one of ${shorten(JSON.stringify(params['allowedValues']), 300)}` };
    case 'const':
      return { path, message: `must be ${shorten(JSON.stringify(params['allowedValue']), 300)}` };
    default:
      return { path, message: shorten(message, 300) };
  }
}

/** `/stops/2/city` -> `stops[2].city` */
function toPath(pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return steps.reduce((path, step) => join(path, step.replaceAll('~1', '/').replaceAll('~0', '~')), '');
}

function join(path: string, key: unknown): string {
  const name = shorten(String(key), 60);
  if (/^\d+$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}
