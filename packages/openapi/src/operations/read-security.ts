/** Which credentials an operation needs, as the document says. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { Pointers } from '../document/pointers';

/** Names of security schemes: one of the lists is needed, and everything in it. An empty list needs nothing. */
export type Needed = readonly (readonly string[])[];

/** That of an operation, or else that of the document; undefined if neither says anything. */
export function readSecurity({ security }: LooseObject, root: LooseObject): Needed | undefined {
  const given = Array.isArray(security) ? security : root['security'];
  if (!Array.isArray(given)) return undefined;
  return (given as unknown[]).filter(isObject).map((each) => Object.keys(each));
}

/** A security scheme; undefined if the document has none of this name. */
export function findScheme(name: string, pointers: Pointers): LooseObject | undefined {
  const key = encodeURIComponent(
    name
      .replaceAll('~', '~0')
      .replaceAll('/', '~1')
      .replace(/\p{Cs}/gu, '\ufffd'),
  );
  return pointers.follow({ $ref: `#/components/securitySchemes/${key}` })?.value;
}
