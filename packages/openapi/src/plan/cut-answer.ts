/**
 * Which fields of an answer a model gets. Left out are links for programs, outdated fields, and what lies deeper than one level; of an object within
 * the answer stays what identifies it.
 */
import type { Pointers } from '../document/pointers';
import { readShape, type Shape } from '../operations/shape';

/** The most fields of an object. */
const MOST_FIELDS = 16;
/** The most fields of an object within another one, unless all of them are few. */
const MOST_BRIEF = 3;
/** With so many addresses, an object is written for programs that follow links. */
const MANY_LINKS = 3;

const LINK = /(?:_|^)(?:urls?|uri|href)$|(?:Url|Uri|Href)$/;
const FOR_PROGRAMS = /^(?:_links|links|node_id|gravatar_id|etag|_etag|self|href|livemode|object)$/;
/** An address that people open. */
const FOR_PEOPLE = /^(?:html|web|hosted\w*|site|home\w*)_?(?:url|Url)$/;
/** What identifies an object, the most telling first. */
const IDENTIFYING =
  'number key login username user_name full_name fullname name title slug sha ref path email id code label status state type kind amount currency value count display_name'.split(
    ' ',
  );

/** One field of an object, with its schema read. */
export interface Field {
  readonly name: string;
  readonly schema: unknown;
  readonly shape: Shape;
}

/** How much of an object is wanted. */
export type Level = 'whole' | 'brief';

/** The fields of an object that stay, in their order. */
export function cutFields(shape: Shape, level: Level, pointers: Pointers): Field[] {
  const all = [...shape.properties].map(([name, schema]) => ({ name, schema, shape: readShape(schema, pointers) }));
  const links = all.filter(({ name }) => LINK.test(name)).length;
  const useful = all.filter((field) =>
    isUseful(field, { links, hasPage: all.some(({ name }) => FOR_PEOPLE.test(name)) }),
  );
  if (level === 'whole') return most(useful, shape, MOST_FIELDS);
  const scalars = useful.filter((field) => isScalar(field.shape));
  if (scalars.length <= MOST_BRIEF) return scalars;
  const rank = ({ name }: Field): number => IDENTIFYING.indexOf(name.toLowerCase());
  const identifying = scalars.filter((field) => rank(field) >= 0).sort((a, b) => rank(a) - rank(b));
  const kept = new Set(identifying.length > 0 ? identifying.slice(0, MOST_BRIEF) : most(scalars, shape, MOST_BRIEF));
  return scalars.filter((field) => kept.has(field));
}

/** Whether an object only holds a list, or another object, with a few words about it: `{ total_count, items }`. */
export function isWrapper(shape: Shape, pointers: Pointers): boolean {
  if (shape.properties.size > 6) return false;
  const held = [...shape.properties.values()].map((schema) => readShape(schema, pointers));
  const lists = held.filter((each) => isObjectList(each, pointers));
  if (lists.length === 1) return true;
  return shape.properties.size === 1 && held.every((each) => each.properties.size > 0);
}

/** Whether a schema is a list of objects. */
export function isObjectList({ types, items }: Shape, pointers: Pointers): boolean {
  return types.includes('array') && readShape(items, pointers).properties.size > 0;
}

/** Whether a value has no members. */
export function isScalar({ types, alternatives, properties, enum: values }: Shape): boolean {
  if (alternatives.length > 0 || properties.size > 0) return false;
  return values !== undefined || (types.length > 0 && types.every((type) => type !== 'object' && type !== 'array'));
}

function isUseful({ name, shape }: Field, { links, hasPage }: { links: number; hasPage: boolean }): boolean {
  if (shape.deprecated || shape.writeOnly || FOR_PROGRAMS.test(name)) return false;
  if (!LINK.test(name) || FOR_PEOPLE.test(name)) return true;
  return links < MANY_LINKS && !(name === 'url' && hasPage);
}

/** Those that are always there come before the others, if not all fit. */
function most(fields: readonly Field[], { required }: Shape, count: number): Field[] {
  if (fields.length <= count) return [...fields];
  const first = [...fields].sort((a, b) => Number(required.has(b.name)) - Number(required.has(a.name)));
  const taken = new Set(first.slice(0, count));
  return fields.filter((field) => taken.has(field));
}
