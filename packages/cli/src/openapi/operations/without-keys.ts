/** Parameters that are credentials: the client sends them, and no model chooses them. */
import { isObject } from '@sigil-mcp/base';
import type { Pointers } from '../document/pointers';
import type { Note, Parameter } from './operation';
import { findScheme, type Needed } from './read-security';

/** The parameters of an operation, and the credentials that it needs. */
export interface KeyedParameters {
  readonly key: string;
  readonly parameters: readonly Parameter[];
  readonly security: Needed | undefined;
}

/** Leaves out each parameter that a security scheme stands for, unless the API requires it and the client does not send it. */
export function withoutKeys(
  { key, parameters, security }: KeyedParameters,
  pointers: Pointers,
  note: Note,
): Parameter[] {
  const schemes = pointers.find('#/components/securitySchemes');
  const names = isObject(schemes) ? Object.keys(schemes) : [];
  const isSent = (name: string): boolean => security === undefined || security.some((list) => list.includes(name));
  return parameters.filter((parameter) => {
    const scheme = names.find((name) => isKey(parameter, name, pointers));
    if (scheme === undefined || (parameter.required && !isSent(scheme))) return true;
    note(key, `${parameter.name} is a credential, which the client sends: it is left out`);
    return false;
  });
}

function isKey({ place, name }: Parameter, scheme: string, pointers: Pointers): boolean {
  const found = findScheme(scheme, pointers);
  if (found?.['type'] !== 'apiKey' || found['in'] !== place || typeof found['name'] !== 'string') return false;
  return found['name'] === name || (place === 'header' && found['name'].toLowerCase() === name.toLowerCase());
}
