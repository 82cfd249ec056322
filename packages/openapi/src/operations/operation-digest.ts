/** Digests of an operation and its parts: whether a later document says the same, and where it does not. */
import { isObject } from '@sigil-mcp/base';
import { createHash } from 'node:crypto';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { Pointers } from '../document/pointers';
import { readShape } from './shape';
import type { ApiOperation } from './operation';
import { findScheme } from './read-security';

/** What a lock remembers of an operation. */
export interface OperationDigest {
  /** Of everything. */
  readonly whole: string;
  /** Of what it says in words. */
  readonly texts: string;
  readonly answer: string;
  /** Of the credentials that it needs. */
  readonly credentials: string;
  /** By place and name: `query page`. The body is `body`, its members are `body title`. */
  readonly arguments: Readonly<Record<string, string>>;
}

/** Digests one operation, with everything that it refers to. */
export function digestOperation(operation: ApiOperation, pointers: Pointers): OperationDigest {
  const digest = (...values: readonly unknown[]): string => digestOf(values, { pointers, without: undefined });
  // A member that only the API writes is no argument, and one that only callers send is in no answer.
  const sent = (...values: readonly unknown[]): string => digestOf(values, { pointers, without: 'readOnly' });
  const received = (...values: readonly unknown[]): string => digestOf(values, { pointers, without: 'writeOnly' });
  const { parameters, body, answer, summary, description, deprecated, security } = operation;
  const schemes = [...new Set(security?.flat() ?? [])].map((name) => withoutTexts(findScheme(name, pointers)));
  const members = body ? withoutOneWay(pointers.follow(body.schema)?.value ?? {}, pointers, 'readOnly') : {};
  return {
    whole: digest(operation.key, operation.source, security, schemes),
    texts: digest(summary, description, deprecated),
    answer: received(answer.kind, answer.mediaType, answer.schema),
    credentials: digest(security, schemes),
    arguments: Object.fromEntries([
      ...parameters.map(({ place, name, ...rest }) => [`${place} ${name}`, digest(rest)] as const),
      ...(body
        ? [['body', sent(body.mediaType, body.required, body.schema && { ...members, properties: undefined })] as const]
        : []),
      ...(isObject(members['properties'])
        ? Object.entries(members['properties']).map(([name, schema]) => [`body ${name}`, sent(schema)] as const)
        : []),
    ]),
  };
}

/** What has changed, in words; empty if nothing has. */
export function compareDigests(before: OperationDigest, after: OperationDigest): string[] {
  if (before.whole === after.whole) return [];
  const [old, now] = [before.arguments, after.arguments];
  const added = Object.keys(now).filter((name) => old[name] === undefined);
  const removed = Object.keys(old).filter((name) => now[name] === undefined);
  const changed = Object.keys(now).filter((name) => old[name] !== undefined && old[name] !== now[name]);
  const words = [
    ...added.map((name) => `new: ${name}`),
    ...removed.map((name) => `gone: ${name}`),
    ...changed.map((name) => `changed: ${name}`),
    ...(before.answer === after.answer ? [] : ['changed: the answer']),
    ...(before.credentials === after.credentials ? [] : ['changed: the credentials']),
    ...(before.texts === after.texts ? [] : ['changed: the description']),
  ];
  return words.length > 0 ? words : ['changed: something that no tool says'];
}

/** What a digest is made of. */
interface Digesting {
  readonly pointers: Pointers;
  /** Members of schemas that do not count; undefined if all do. */
  readonly without: OneWay | undefined;
}

type OneWay = 'readOnly' | 'writeOnly';

/** A short digest of values, with everything that they refer to. */
function digestOf(values: readonly unknown[], digesting: Digesting): string {
  const { pointers, without = 'all' } = digesting;
  const own = readPart(values, digesting);
  const hash = createHash('sha256').update(own.text);
  const referred = new Set(own.references);
  // A set that grows while it is walked: each target once, in the order of its first mention.
  for (const reference of referred) {
    const target = pointers.find(reference);
    const part = isObject(target)
      ? pointers.once(target, `digest ${without}`, () => digestPart(target, digesting))
      : digestPart(target, digesting);
    hash.update(`${reference} ${part.digest}`);
    for (const each of part.references) referred.add(each);
  }
  return hash.digest('hex').slice(0, 16);
}

/** A part of a document as one text, regardless of the order of its members. */
interface DocumentPart {
  readonly text: string;
  readonly references: readonly string[];
}

function digestPart(
  value: unknown,
  digesting: Digesting,
): { readonly digest: string; readonly references: readonly string[] } {
  const { text, references } = readPart(value, digesting);
  return { digest: createHash('sha256').update(text).digest('hex'), references };
}

function readPart(value: unknown, digesting: Digesting): DocumentPart {
  const references = new Set<string>();
  return { text: canonical(value, { ...digesting, references, isNamed: false }), references: [...references] };
}

interface Canonical extends Digesting {
  readonly references: Set<string>;
  /** Whether the members have names of the API: an example there is no example. */
  readonly isNamed: boolean;
}

function canonical(given: unknown, within: Canonical): string {
  const { references, isNamed, pointers, without } = within;
  if (Array.isArray(given)) return `[${given.map((each) => canonical(each, { ...within, isNamed: false })).join(',')}]`;
  if (!isObject(given)) return JSON.stringify(given) ?? 'null';
  const value = isNamed || without === undefined ? given : withoutOneWay(given, pointers, without);
  const { $ref } = value;
  if (typeof $ref === 'string') references.add($ref);
  const names = Object.keys(value)
    .filter((name) => isNamed || (name !== 'example' && name !== 'examples'))
    .sort();
  const members = names.map((name) => {
    const inside = { ...within, isNamed: !isNamed && name === 'properties' };
    return `${JSON.stringify(name)}:${canonical(value[name], inside)}`;
  });
  return `{${members.join(',')}}`;
}

/** A schema without the members that do not travel in one direction. */
function withoutOneWay(schema: LooseObject, pointers: Pointers, without: OneWay): LooseObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return schema;
  const left = Object.entries(properties).filter(([, member]) => !readShape(member, pointers)[without]);
  const names = new Set(left.map(([name]) => name));
  const isLeft = (name: unknown): boolean => typeof name !== 'string' || names.has(name) || !(name in properties);
  return {
    ...schema,
    properties: Object.fromEntries(left),
    ...(Array.isArray(required) && { required: required.filter(isLeft) }),
  };
}

function withoutTexts(scheme: LooseObject | undefined): LooseObject | undefined {
  if (!scheme) return undefined;
  const { type, in: place, name, scheme: http } = scheme;
  return { type, in: place, name, scheme: http };
}
