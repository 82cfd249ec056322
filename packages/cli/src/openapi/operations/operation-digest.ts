/** Digests of an operation and its parts: whether a later document says the same, and where it does not. */
import { isObject } from '@sigil-mcp/base';
import { createHash } from 'node:crypto';
import type { LooseObject } from '../../json-object';
import type { Pointers } from '../document/pointers';
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
  const digest = (...values: readonly unknown[]): string => digestOf(values, pointers);
  const { parameters, body, answer, summary, description, deprecated, security } = operation;
  const schemes = [...new Set(security?.flat() ?? [])].map((name) => withoutTexts(findScheme(name, pointers)));
  const members = body ? pointers.follow(body.schema)?.value['properties'] : undefined;
  return {
    whole: digest(operation.key, operation.source, security, schemes),
    texts: digest(summary, description, deprecated),
    answer: digest(answer.kind, answer.mediaType, answer.schema),
    credentials: digest(security, schemes),
    arguments: Object.fromEntries([
      ...parameters.map(({ place, name, ...rest }) => [`${place} ${name}`, digest(rest)] as const),
      ...(body
        ? [['body', digest(body.mediaType, body.required, withoutMembers(body.schema, pointers))] as const]
        : []),
      ...(isObject(members)
        ? Object.entries(members).map(([name, schema]) => [`body ${name}`, digest(schema)] as const)
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

/** A short digest of values, with everything that they refer to. */
function digestOf(values: readonly unknown[], pointers: Pointers): string {
  const own = readPart(values);
  const hash = createHash('sha256').update(own.text);
  const referred = new Set(own.references);
  // A set that grows while it is walked: each target once, in the order of its first mention.
  for (const reference of referred) {
    const target = pointers.find(reference);
    const part = isObject(target) ? pointers.once(target, 'digest', () => digestPart(target)) : digestPart(target);
    hash.update(`${reference} ${part.digest}`);
    for (const each of part.references) referred.add(each);
  }
  return hash.digest('hex').slice(0, 16);
}

/** A part of a document as one text, regardless of the order of its members. */
interface Part {
  readonly text: string;
  readonly references: readonly string[];
}

function digestPart(value: unknown): { readonly digest: string; readonly references: readonly string[] } {
  const { text, references } = readPart(value);
  return { digest: createHash('sha256').update(text).digest('hex'), references };
}

function readPart(value: unknown): Part {
  const references = new Set<string>();
  return { text: canonical(value, { references, isNamed: false }), references: [...references] };
}

/** @param isNamed whether the members have names of the API: an example there is no example */
function canonical(value: unknown, { references, isNamed }: { references: Set<string>; isNamed: boolean }): string {
  if (Array.isArray(value))
    return `[${value.map((each) => canonical(each, { references, isNamed: false })).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const { $ref } = value;
  if (typeof $ref === 'string') references.add($ref);
  const names = Object.keys(value)
    .filter((name) => isNamed || (name !== 'example' && name !== 'examples'))
    .sort();
  const members = names.map((name) => {
    const inside = { references, isNamed: !isNamed && name === 'properties' };
    return `${JSON.stringify(name)}:${canonical(value[name], inside)}`;
  });
  return `{${members.join(',')}}`;
}

function withoutTexts(scheme: LooseObject | undefined): LooseObject | undefined {
  if (!scheme) return undefined;
  const { type, in: place, name, scheme: http } = scheme;
  return { type, in: place, name, scheme: http };
}

function withoutMembers(schema: unknown, pointers: Pointers): unknown {
  const value = pointers.follow(schema)?.value;
  if (!value) return undefined;
  const { properties: _properties, ...rest } = value;
  return rest;
}
