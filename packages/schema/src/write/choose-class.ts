/** Finds which of several classes a returned value belongs to: an instance by its class, a plain object by its members. */
import { isObject } from '@sigil-mcp/base';
import { ownMember } from '../read/tagged';
import type { UnionPlan, ValuePlan } from '../value-plan';

/** Instances of a class suit it best, then objects of which nothing would be left out. */
export function suitsOutput({ nested }: ValuePlan, value: unknown): number {
  if (!nested || !isObject(value)) return 0;
  if (value instanceof nested.dto) return Object.getPrototypeOf(value) === nested.dto.prototype ? 3 : 2;
  const names = new Set(nested.properties.map(({ name }) => name));
  return Object.keys(value).every((name) => names.has(name)) ? 1 : 0;
}

/** The name by which a discriminator knows a value: what it says itself, else what its class is called. */
export function nameInOutput(
  { options }: UnionPlan,
  value: Readonly<Record<string, unknown>>,
  property: string,
): unknown {
  const said = ownMember(value, property);
  if (said !== undefined) return said;
  const classes = options.flatMap(({ nested }) => (nested ? [nested] : []));
  const found =
    classes.find(({ dto }) => Object.getPrototypeOf(value) === dto.prototype) ??
    classes.find(({ dto }) => value instanceof dto);
  return found?.tag?.value;
}
