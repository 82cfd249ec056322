/** One entry before and after a change. */
import { isObject } from '@sigil-mcp/base';
import type { EntryKind, JsonObject, DescribedEntry } from '@sigil-mcp/core';
import type { ContractAccess, ContractEntry } from '../contract/contract-of';
import { canonicalText, isSchema, type Schema } from '../schema/json-document';
import { withoutWords } from '../schema/words';
import { compareDefaults, compareDeprecation, compareHints, compareWords } from './compare-members';
import { change, type EntryChangeFound } from './contract-change';
import { narrowings } from '../schema/narrowings';
import { narrowingText, type Side } from './narrowing-text';

const OPEN: DescribedEntry['access'] = { scopes: [], roles: [], guards: [], isPublic: false, isListed: true };

/** Members of definitions that are compared in a way of their own, or are the key. */
const READ = [
  'name',
  'uri',
  'uriTemplate',
  'inputSchema',
  'outputSchema',
  'annotations',
  'arguments',
  'mimeType',
  'size',
  '_meta',
];

/** What changed of an entry in its newest form. */
export function compareEntries(
  kind: EntryKind,
  before: ContractEntry,
  after: ContractEntry,
): readonly EntryChangeFound[] {
  return [
    ...compareDefinitions(kind, before.definition, after.definition),
    ...compareArguments(before, after),
    ...compareAccess(before.access, after.access),
    ...compareAsking(before, after),
    ...compareTasks(before, after),
    ...compareRest(before, after),
    ...compareDeprecation(before, after),
  ];
}

/** What changed of the item of a list. */
export function compareDefinitions(
  kind: EntryKind,
  before: JsonObject,
  after: JsonObject,
): readonly EntryChangeFound[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return [
    ...(kind === 'tool' ? compareHints(before, after) : []),
    ...compareInputs(before, after),
    ...compareOutputs(before, after),
    ...compareMime(before, after),
    ...names.flatMap((name) => compareWords(`its ${name}`, old[name], now[name])),
    ...schemaWords(before, after),
    ...compareMeta(before, after),
  ];
}

function wordsOf(definition: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(definition).filter(([name]) => !READ.includes(name)));
}

function schemaIn(definition: JsonObject, member: 'inputSchema' | 'outputSchema'): Schema | undefined {
  const schema: unknown = definition[member];
  return isSchema(schema) ? schema : undefined;
}

function compareInputs(before: JsonObject, after: JsonObject): readonly EntryChangeFound[] {
  const [old, now] = [schemaIn(before, 'inputSchema'), schemaIn(after, 'inputSchema')];
  return old === undefined || now === undefined ? [] : compareSchemas(old, now, 'input');
}

function compareOutputs(before: JsonObject, after: JsonObject): readonly EntryChangeFound[] {
  const [old, now] = [schemaIn(before, 'outputSchema'), schemaIn(after, 'outputSchema')];
  if (old === undefined)
    return now === undefined ? [] : [change('compatible', 'output-new', 'it has a structured result now')];
  if (now === undefined) return [change('breaking', 'output-gone', 'it no longer has a structured result')];
  return compareSchemas(old, now, 'output');
}

function compareMime(before: JsonObject, after: JsonObject): readonly EntryChangeFound[] {
  const [old, now] = [before['mimeType'], after['mimeType']];
  if (old === now) return [];
  const level = old === undefined ? 'compatible' : 'breaking';
  return [change(level, 'mime-type', `its MIME type is ${mimeText(now)} now (was ${mimeText(old)})`)];
}

function mimeText(type: unknown): string {
  return typeof type === 'string' ? type : 'not said';
}

/** The words in schemas, where nothing else changed in them. */
function schemaWords(before: JsonObject, after: JsonObject): readonly EntryChangeFound[] {
  return (['inputSchema', 'outputSchema'] as const).flatMap((member) => {
    const [old, now] = [schemaIn(before, member), schemaIn(after, member)];
    if (old === undefined || now === undefined) return [];
    const isSame = canonicalText(withoutWords(old)) === canonicalText(withoutWords(now));
    const what = member === 'inputSchema' ? 'arguments' : 'result';
    return isSame ? compareWords(`the description of its ${what}`, textsOf(old), textsOf(now)) : [];
  });
}

/** The descriptions and titles in a schema, by their places. */
function textsOf(schema: unknown, path = ''): Readonly<Record<string, string>> {
  if (!isObject(schema)) return {};
  const own = ['title', 'description'].flatMap((name) => {
    const text = schema[name];
    return typeof text === 'string' ? [[`${path}/${name}`, text] as const] : [];
  });
  const parts = Object.entries(schema).filter(([, part]) => typeof part === 'object');
  return Object.assign(
    Object.fromEntries(own),
    ...parts.map(([name, part]) => textsOf(part, `${path}/${name}`)),
  ) as Record<string, string>;
}

/** What the access of an entry says again in `_meta` is left out. */
function compareMeta({ _meta: before }: JsonObject, { _meta: after }: JsonObject): readonly EntryChangeFound[] {
  const own = (meta: unknown): unknown =>
    isObject(meta) ? Object.fromEntries(Object.entries(meta).filter(([name]) => name !== 'securitySchemes')) : {};
  if (canonicalText(own(before)) === canonicalText(own(after))) return [];
  return [change('compatible', 'meta', 'its _meta changed')];
}

const NO_ARGUMENTS: Schema = { type: 'object', additionalProperties: false };

/** Arguments that lists do not describe: of prompts and templates. */
function compareArguments(before: ContractEntry, after: ContractEntry): readonly EntryChangeFound[] {
  if (before.input === undefined && after.input === undefined) return [];
  const [old, now] = [before.input ?? NO_ARGUMENTS, after.input ?? NO_ARGUMENTS];
  const isSame = canonicalText(withoutWords(old)) === canonicalText(withoutWords(now));
  const words = isSame ? compareWords('the description of its arguments', textsOf(old), textsOf(now)) : [];
  return [...compareSchemas(old, now, 'input'), ...words];
}

function compareAsking(
  { asks: before = [] }: ContractEntry,
  { asks: after = [] }: ContractEntry,
): readonly EntryChangeFound[] {
  if (canonicalText(before) === canonicalText(after)) return [];
  if (before.length === 0)
    return [change('breaking', 'asks', 'it asks the user now: clients that cannot ask are refused')];
  return [
    change(
      'compatible',
      'asks',
      after.length === 0 ? 'it no longer asks the user' : 'it asks the user with other forms',
    ),
  ];
}

function compareTasks(before: ContractEntry, after: ContractEntry): readonly EntryChangeFound[] {
  const [old, now] = [supportOf(before), supportOf(after)];
  if (old === now) return [];
  const words = `its calls are ${TASK_WORDS[now]} now (were ${TASK_WORDS[old]})`;
  if (now === 'required') return [change('breaking', 'tasks', `${words}: clients that do not know tasks are refused`)];
  return [change('compatible', 'tasks', words)];
}

type TaskMode = 'none' | 'optional' | 'required';
const TASK_WORDS: Readonly<Record<TaskMode, string>> = {
  none: 'never tasks',
  optional: 'tasks for clients that know them',
  required: 'always tasks',
};

function supportOf({ task }: ContractEntry): TaskMode {
  if (!task) return 'none';
  return task['support'] === 'required' ? 'required' : 'optional';
}

function compareRest(before: ContractEntry, after: ContractEntry): readonly EntryChangeFound[] {
  const [rates, ratesNow] = [before.limits?.rates ?? [], after.limits?.rates ?? []];
  const lostCompletions = (before.completes ?? []).filter((name) => !(after.completes ?? []).includes(name));
  const { rates: _before, ...limits } = before.limits ?? {};
  const { rates: _after, ...limitsNow } = after.limits ?? {};
  return [
    ...(rates.length > ratesNow.length ? [change('security', 'rate-gone', 'a limit of its rate is gone')] : []),
    ...(rates.length <= ratesNow.length && differs(rates, ratesNow)
      ? [change('compatible', 'rate', 'the limits of its rate changed')]
      : []),
    ...(differs(limits, limitsNow)
      ? [
          change(
            'compatible',
            'limits',
            `its limits are ${JSON.stringify(limitsNow)} now (were ${JSON.stringify(limits)})`,
          ),
        ]
      : []),
    ...lostCompletions.map((name) => change('compatible', 'completion-gone', `${name} is no longer completed`)),
    ...(differs(before.cache, after.cache) ? [change('compatible', 'cache', 'it may be cached in another way')] : []),
    ...(differs(before.isUnlisted, after.isUnlisted)
      ? [change('compatible', 'listed', after.isUnlisted ? 'lists leave it out now' : 'lists show it now')]
      : []),
  ];
}

function differs(one: unknown, other: unknown): boolean {
  return canonicalText({ it: one }) !== canonicalText({ it: other });
}

/** What is wrong with new values for old readers, or with old values for new ones. */
function compareSchemas(before: Schema, after: Schema, side: Side): readonly EntryChangeFound[] {
  const [from, to] = side === 'input' ? [before, after] : [opened(before), opened(after)];
  const [broken, wider] =
    side === 'input' ? [narrowings(from, to), narrowings(to, from)] : [narrowings(to, from), narrowings(from, to)];
  const isSwapped = side === 'output';
  return [
    ...broken.map((each) =>
      change('breaking', `${side}-${each.rule}`, narrowingText(each, side, isSwapped), each.path),
    ),
    ...wider.map((each) =>
      change('compatible', `${side}-${each.rule}`, narrowingText(each, side, !isSwapped), each.path),
    ),
    ...(side === 'input' ? compareDefaults(before, after) : []),
  ];
}

/** Clients do not mind members that they do not know: an object of a result is open. */
function opened(schema: Schema): Schema {
  return openedPart(withoutWords(schema)) as Schema;
}

function openedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(openedPart);
  if (!isObject(part)) return part;
  const members = Object.entries(part).filter(([name, value]) => name !== 'additionalProperties' || value !== false);
  return Object.fromEntries(
    members.map(([name, value]) => [name, name === 'enum' || name === 'const' ? value : openedPart(value)]),
  );
}

/** What changed for callers. */
function compareAccess(before: ContractAccess = {}, after: ContractAccess = {}): readonly EntryChangeFound[] {
  const [old, now] = [
    { ...OPEN, ...before },
    { ...OPEN, ...after },
  ];
  return [
    ...compareNames('scope', old.scopes, now.scopes),
    ...compareNames('role', old.roles.map(rolesText), now.roles.map(rolesText)),
    ...compareNames('guard', old.guards, now.guards),
    ...comparePublic(old.isPublic, now.isPublic),
    ...compareListed(old.isListed, now.isListed),
  ];
}

function comparePublic(before: boolean, after: boolean): readonly EntryChangeFound[] {
  if (before === after) return [];
  return after
    ? [change('security', 'public', 'it can be used without a token now')]
    : [change('breaking', 'public', 'it can no longer be used without a token')];
}

function compareListed(before: boolean, after: boolean): readonly EntryChangeFound[] {
  if (before === after) return [];
  return after
    ? [change('security', 'listed', 'callers without its scopes see it in lists now')]
    : [change('compatible', 'listed', 'callers without its scopes no longer see it in lists')];
}

function rolesText(roles: readonly string[]): string {
  return [...roles].sort().join(' or ');
}

/** Each name counts as often as it is there. */
function compareNames(what: string, before: readonly string[], after: readonly string[]): readonly EntryChangeFound[] {
  const lost = missing(before, after).map((name) =>
    change('security', `${what}-gone`, `the ${what} ${name} is no longer needed`),
  );
  const gained = missing(after, before).map((name) =>
    change('breaking', `${what}-new`, `the ${what} ${name} is needed now`),
  );
  if (lost.length + gained.length > 0 || canonicalText(before) === canonicalText(after)) return [...lost, ...gained];
  return [change('compatible', `${what}-order`, `the order of each ${what} changed`)];
}

function missing(from: readonly string[], among: readonly string[]): readonly string[] {
  const left = [...among];
  return from.filter((name) => {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
