/** What is compared of an entry besides its schemas. Of annotations: a client that trusts them lets more through if they become worse. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/core';
import type { ContractEntries, ContractEntry } from '../contract/contract-of';
import { canonicalText, isSchema, JsonDocument, type Schema } from '../schema/json-document';
import { change, type EntryChangeFound } from './contract-change';

/** What a client assumes of a tool. */
interface Hints {
  readonly isReadOnly: boolean;
  readonly isHarmless: boolean;
  readonly isIdempotent: boolean;
  readonly isClosedWorld: boolean;
}

/** @param before the definition of a tool */
export function compareHints(before: JsonObject, after: JsonObject): readonly EntryChangeFound[] {
  const [old, now] = [hintsOf(before), hintsOf(after)];
  return HINTS.flatMap(({ hint, code, level, better, worse }) => {
    if (old[hint] === now[hint]) return [];
    return [now[hint] ? change('compatible', code, better) : change(level, code, worse)];
  });
}

const HINTS = [
  {
    hint: 'isReadOnly',
    code: 'read-only',
    level: 'security',
    better: 'it only reads now',
    worse: 'it no longer only reads',
  },
  {
    hint: 'isHarmless',
    code: 'destructive',
    level: 'security',
    better: 'it destroys nothing now',
    worse: 'it may destroy something now',
  },
  {
    hint: 'isIdempotent',
    code: 'idempotent',
    level: 'breaking',
    better: 'it may be called again without another effect now',
    worse: 'it may no longer be called again without another effect',
  },
  {
    hint: 'isClosedWorld',
    code: 'open-world',
    level: 'security',
    better: 'it stays within the server now',
    worse: 'it reaches out of the server now',
  },
] as const;

/** With the defaults of the specification. */
function hintsOf({ annotations }: JsonObject): Hints {
  const given = isObject(annotations) ? annotations : {};
  const isReadOnly = given['readOnlyHint'] === true;
  return {
    isReadOnly,
    isHarmless: isReadOnly || given['destructiveHint'] === false,
    isIdempotent: isReadOnly || given['idempotentHint'] === true,
    isClosedWorld: given['openWorldHint'] === false,
  };
}

// What is said of the versions of a tool: since when it is there, and whether it is deprecated.

/** What changed of it. */
export function compareDeprecation(
  { since, deprecated }: ContractEntry,
  { since: sinceNow, deprecated: now }: ContractEntry,
): readonly EntryChangeFound[] {
  const moved =
    since === sinceNow ? [] : [change('compatible', 'since', `it is there since ${sinceNow ?? 'ever'} now`)];
  return [...moved, ...compareReasons(deprecated, now)];
}

function compareReasons(before: string | undefined, after: string | undefined): readonly EntryChangeFound[] {
  if (before === undefined)
    return after === undefined ? [] : [change('compatible', 'deprecated', 'it is deprecated now')];
  if (after === undefined) return [change('compatible', 'deprecated', 'it is no longer deprecated')];
  return compareWords('why it is deprecated', before, after);
}

/** The item of a list without what these members say, which is compared once, and in words of its own. */
export function withoutDeprecation(wire: JsonObject, { deprecated }: ContractEntry): JsonObject {
  const { description, _meta } = wire;
  const ending = deprecated === undefined ? '' : `\n\nDeprecated: ${deprecated}`;
  const isEnded = ending !== '' && typeof description === 'string' && description.endsWith(ending);
  return {
    ...wire,
    ...(isEnded && { description: description.slice(0, -ending.length) }),
    ...(isObject(_meta) && {
      _meta: Object.fromEntries(Object.entries(_meta).filter(([key]) => !KEYS.includes(key))),
    }),
  };
}

const KEYS: readonly string[] = ['dev.sigil/since', 'dev.sigil/deprecated'];

/**
 * Two texts, or objects with texts. Clients that pin definitions ask their user again when the sense of words changes; other letters,
 * spaces and punctuation do not change it.
 */
export function compareWords(what: string, before: unknown, after: unknown): readonly EntryChangeFound[] {
  const [old, now] = [canonicalText([before]), canonicalText([after])];
  if (old === now) return [];
  if (senseOf(old) === senseOf(now)) return [change('compatible', 'spelling', `${what} is spelled in another way`)];
  return [change('security', 'words', `${what} says something else: ${shown(after)}`)];
}

function senseOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\[nrt]/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

// The defaults of arguments: a call without an argument means something else when one appears, changes or goes.

/** An argument, as each schema of its place has it. */
interface ArgumentDefaults {
  /** The texts of its defaults. */
  readonly defaults: Set<string>;
  /** Whether a call may leave it out. */
  isOptional: boolean;
}

/** What calls without an argument mean now. One that is new, gone or required is no matter of its default. */
export function compareDefaults(before: Schema, after: Schema): readonly EntryChangeFound[] {
  const [old, now] = [argumentsOf(before), argumentsOf(after)];
  return [...old].flatMap(([path, argument]) => {
    const current = now.get(path);
    if (!current?.isOptional || !argument.isOptional) return [];
    const [was, is] = [textOf(argument), textOf(current)];
    if (was === is) return [];
    const words =
      is === '' ? `it has no default any more (was ${was})` : `${is} is its default now (was ${was || 'none'})`;
    return [change('breaking', 'input-default', `${path}: ${words}`, path)];
  });
}

function textOf({ defaults }: ArgumentDefaults): string {
  return [...defaults].sort().join(' or ');
}

/** Path, such as `authors[].name`, `pair[0].name` or `ports.*.name` -> the argument. */
function argumentsOf(schema: Schema): ReadonlyMap<string, ArgumentDefaults> {
  const found = new Map<string, ArgumentDefaults>();
  const document = new JsonDocument(schema);
  const visit = (part: unknown, path: string, around: ReadonlySet<unknown>): void => {
    if (!isObject(part) || around.has(part)) return;
    if ('default' in part) found.get(path)?.defaults.add(canonicalText(part['default']));
    const within = new Set(around).add(part);
    const { $ref, properties, required, items, prefixItems, additionalProperties, then, else: other } = part;
    if (typeof $ref === 'string') visit(document.resolve($ref), path, within);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      if (Array.isArray(part[keyword])) for (const each of part[keyword] as unknown[]) visit(each, path, within);
    for (const each of [then, other, ...membersOf(part['dependentSchemas'])]) visit(each, path, within);
    visit(items, `${path}[]`, within);
    for (const [index, item] of membersOf(prefixItems).entries()) visit(item, `${path}[${index}]`, within);
    const others = [additionalProperties, ...membersOf(part['patternProperties'])];
    for (const each of others) visit(each, join(path, '*'), within);
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (!isSchema(property)) continue;
      const own = join(path, name);
      const argument = found.get(own) ?? { defaults: new Set<string>(), isOptional: false };
      found.set(own, argument);
      argument.isOptional ||= !(Array.isArray(required) && required.includes(name));
      visit(property, own, within);
    }
  };
  visit(schema, '', new Set());
  return found;
}

function membersOf(schemas: unknown): readonly unknown[] {
  return typeof schemas === 'object' && schemas !== null ? Object.values(schemas) : [];
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

// Tools that were renamed: whether clients that know an old name can go on calling it.

/** An old name, and the tool that answers its calls. */
interface Alias {
  readonly key: string;
  readonly entry: ContractEntry;
  readonly convertsArguments: boolean;
}

/** The tools before and after, with all names that can be called. */
interface CallableNames {
  readonly old: ContractEntries;
  readonly now: ContractEntries;
  readonly oldAliases: ReadonlyMap<string, Alias>;
  readonly newAliases: ReadonlyMap<string, Alias>;
}

/** Compares two tools, as far as their calls are concerned. */
type CompareTools = (before: ContractEntry, after: ContractEntry) => readonly EntryChangeFound[];

/** Both sides of a comparison. */
export function callableNames(old: ContractEntries, now: ContractEntries): CallableNames {
  return { old, now, oldAliases: aliasesIn(old), newAliases: aliasesIn(now) };
}

function aliasesIn(entries: ContractEntries): ReadonlyMap<string, Alias> {
  return new Map(
    Object.entries(entries).flatMap(([key, entry]) =>
      Object.entries(entry.replaces ?? {}).map(([name, how]): [string, Alias] => [
        name,
        { key, entry, convertsArguments: how === 'converted arguments' },
      ]),
    ),
  );
}

/** A tool that is gone, but whose name still leads to another one; undefined if it does not. */
export function compareRenamed(
  key: string,
  before: ContractEntry,
  { newAliases }: CallableNames,
  compare: CompareTools,
): readonly EntryChangeFound[] | undefined {
  const alias = newAliases.get(key);
  if (!alias) return undefined;
  return [
    change('compatible', 'entry-renamed', `the tool is called ${alias.key} now; calls of its old name still work`),
    ...ofCalls(compare(before, alias.entry), alias.convertsArguments),
  ];
}

/** A new tool whose name led to another one before; undefined if it did not. */
export function compareReused(
  key: string,
  after: ContractEntry,
  { oldAliases }: CallableNames,
  compare: CompareTools,
): readonly EntryChangeFound[] | undefined {
  const alias = oldAliases.get(key);
  if (!alias) return undefined;
  const words = `${alias.key} converted the arguments of this name, and the new tool takes its own`;
  return [
    change('compatible', 'entry-new', `the tool is new; its name was an old name of ${alias.key}`),
    ...(alias.convertsArguments ? [change('breaking', 'alias-arguments', words)] : []),
    ...ofCalls(compare(alias.entry, after), alias.convertsArguments),
  ];
}

/** The old names of one tool before and after. */
export function compareAliases(key: string, names: CallableNames, compare: CompareTools): readonly EntryChangeFound[] {
  const before = [...names.oldAliases].filter(([, alias]) => alias.key === key);
  const after = [...names.newAliases].filter(([, alias]) => alias.key === key);
  return [
    ...before.flatMap(([name, alias]) => compareAlias(name, alias, names, compare)),
    ...after
      .filter(([name]) => !names.oldAliases.has(name) && !Object.hasOwn(names.old, name))
      .map(([name]) => change('compatible', 'alias-new', `it can be called by the old name ${name}, too`)),
  ];
}

function compareAlias(
  name: string,
  before: Alias,
  { now, newAliases }: CallableNames,
  compare: CompareTools,
): readonly EntryChangeFound[] {
  const after = newAliases.get(name);
  // Compared where the new tool is.
  if (!after && Object.hasOwn(now, name)) return [];
  if (!after) return [change('breaking', 'alias-gone', `it can no longer be called by its old name ${name}`)];
  const isMoved = after.key !== before.key && newAliases.get(before.key)?.key !== after.key;
  const converts = before.convertsArguments || after.convertsArguments;
  return [
    ...compareConversion(name, before, after),
    ...(isMoved ? ofCalls(compare(before.entry, after.entry), converts) : []),
  ];
}

function compareConversion(name: string, before: Alias, after: Alias): readonly EntryChangeFound[] {
  if (before.convertsArguments === after.convertsArguments) return [];
  return after.convertsArguments
    ? [change('compatible', 'alias-arguments', `the arguments of its old name ${name} are converted now`)]
    : [change('breaking', 'alias-arguments', `the arguments of its old name ${name} are no longer converted`)];
}

/** What matters to clients that call: lists show them the new tool, with its own words. */
function ofCalls(changes: readonly EntryChangeFound[], convertsArguments: boolean): readonly EntryChangeFound[] {
  return changes.filter(
    ({ level, code }) =>
      level !== 'compatible' && code !== 'words' && !(convertsArguments && code.startsWith('input-')),
  );
}
