/** One entry before and after a change. */
import { isObject } from '@sigil-mcp/base';
import type { EntryKind, JsonObject } from '@sigil-mcp/core';
import type { ContractEntry } from '../contract/contract';
import { canonicalText } from '../schema/canonical-text';
import { isSchema, type Schema } from '../schema/json-document';
import { withoutWords } from '../schema/words';
import { compareAccess } from './compare-access';
import { compareDeprecation } from './compare-deprecation';
import { compareHints } from './compare-hints';
import { compareSchemas } from './compare-schemas';
import { compareWords } from './compare-words';
import { change, type EntryChangeFound } from './contract-change';

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

type TaskSupport = 'none' | 'optional' | 'required';
const TASK_WORDS: Readonly<Record<TaskSupport, string>> = {
  none: 'never tasks',
  optional: 'tasks for clients that know them',
  required: 'always tasks',
};

function supportOf({ task }: ContractEntry): TaskSupport {
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
