/** An object of several kinds, as what is sent: `oneOf` next to `properties`, and the components that extend one with a discriminator. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { Pointers } from '../document/pointers';
import { readShape, type Shape } from '../operations/shape';

/** The members of more kinds are not listed. */
const MOST_KINDS = 8;

/** The object with the members of all its kinds; required are those that each kind requires. @param note takes what cannot be said */
export function withKinds(shape: Shape, pointers: Pointers, note: (text: string) => void): Shape {
  if (shape.properties.size === 0) return shape;
  if (shape.additional !== undefined)
    note(
      `an object may have more members than ${[...shape.properties.keys()].slice(0, 3).join(', ')}: they are left out`,
    );
  const kinds = pointers.once(shape, 'kinds', () =>
    [...shape.alternatives, ...extensionsOf(shape, pointers)].map((schema) => readShape(schema, pointers)),
  );
  if (kinds.length > MOST_KINDS)
    note(`an object has ${kinds.length} kinds (${shape.reference ?? 'without a name'}): it is written as any object`);
  return pointers.once(shape, 'all kinds', () => {
    if (kinds.length === 0) return shape;
    if (kinds.length > MOST_KINDS) return { ...shape, types: ['object'], properties: new Map(), alternatives: [] };
    const names = new Set([shape, ...kinds].flatMap(({ properties }) => [...properties.keys()]));
    const inAll = [...names].filter((name) => kinds.every(({ required }) => required.has(name)));
    return {
      ...shape,
      alternatives: [],
      properties: new Map([...names].map((name) => [name, memberOf(name, shape, kinds)])),
      required: new Set([...shape.required, ...inAll]),
    };
  });
}

/** What the kinds say of a member where all of them narrow it, such as the name of the kind, and otherwise what the object says. */
function memberOf(name: string, shape: Shape, kinds: readonly Shape[]): unknown {
  const own = shape.properties.get(name);
  const said = new Set(kinds.map(({ properties }) => properties.get(name) ?? own).filter((each) => each !== undefined));
  if (own !== undefined && said.has(own)) return namedKinds(name, own, shape);
  const [only, ...others] = said;
  return others.length === 0 ? only : { anyOf: [...said] };
}

/** With a mapping, the discriminator has the values of the mapping. */
function namedKinds(name: string, own: unknown, { discriminator }: Shape): unknown {
  const mapping = discriminator?.['mapping'];
  return discriminator?.['propertyName'] === name && isObject(mapping)
    ? { enum: Object.keys(mapping), allOf: [own] }
    : own;
}

/** The components that are the object and more, also those that extend such a component. */
function extensionsOf({ discriminator, reference }: Shape, pointers: Pointers): readonly unknown[] {
  const schemas = pointers.find('#/components/schemas');
  if (!discriminator || reference === undefined || !isObject(schemas)) return [];
  const extensions = pointers.once(schemas, 'extensions', () => extensionsByBase(schemas));
  const references = new Set([reference]);
  // A set that grows while it is walked.
  for (const base of references) for (const extension of extensions.get(base) ?? []) references.add(extension);
  const { mapping } = discriminator;
  const targets = isObject(mapping) ? Object.values(mapping) : [reference];
  // A mapping that does not name the object itself says that it is always one of the others.
  const isKind = targets.some((target) => target === reference || target === reference.split('/').at(-1));
  return references.size === 1 ? [] : [...references].slice(isKind ? 0 : 1).map(($ref) => ({ $ref }));
}

function extensionsByBase(schemas: LooseObject): ReadonlyMap<unknown, readonly string[]> {
  const extensions = new Map<unknown, string[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    const parts: unknown = isObject(schema) ? schema['allOf'] : undefined;
    const own = `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    for (const part of Array.isArray(parts) ? (parts as unknown[]) : [])
      if (isObject(part) && part['$ref'] !== undefined) {
        const known = extensions.get(part['$ref']) ?? [];
        known.push(own);
        extensions.set(part['$ref'], known);
      }
  }
  return extensions;
}
