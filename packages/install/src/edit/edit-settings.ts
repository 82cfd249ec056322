/** Puts a server into the text of a file of settings, or takes it out, and checks that nothing else has changed. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@sigil-mcp/base';
import type { AskedInput, SettingsEntry, SettingsFormat, Place, WrittenServer } from '../client';
import { failure } from '../errors';
import { mergedEntry } from '../merged-entry';
import { parseJsonSettings, removeFromJson, setInJson } from './json-settings';
import type { ParsedSettings } from './settings-text';
import { parseTomlSettings, removeFromToml, setInToml } from './toml-settings';
import { parseYamlSettings, removeFromYaml, setInYaml } from './yaml-settings';

/** One change of a file. */
interface MemberChange {
  /** The names from the top of the file; an element of a list by its `name` or its position, a new one by `-`. */
  readonly path: readonly string[];
  /** Absent for a member that is removed. */
  readonly value?: unknown;
}

/** How the files of a format are read, and changed by single members, which leaves every other character as it is. */
interface SettingsLanguage {
  readonly parse: (text: string) => ParsedSettings;
  readonly set: (text: string, path: readonly string[], value: unknown) => string;
  readonly remove: (text: string, path: readonly string[]) => string;
}

const LANGUAGES: Readonly<Record<SettingsFormat, SettingsLanguage>> = {
  json: { parse: (text) => parseJsonSettings(text, true), set: setInJson, remove: removeFromJson },
  jsonc: { parse: (text) => parseJsonSettings(text, false), set: setInJson, remove: removeFromJson },
  toml: { parse: parseTomlSettings, set: setInToml, remove: removeFromToml },
  yaml: { parse: parseYamlSettings, set: setInYaml, remove: removeFromYaml },
};

/** A file of settings with its text; empty if it does not exist. */
export interface SettingsText {
  /** For messages. */
  readonly file: string;
  readonly place: Place;
  readonly text: string;
}

/** The members of a file, and its servers by name. */
interface ReadSettings {
  readonly members: SettingsEntry;
  readonly servers: ReadonlyMap<string, SettingsEntry>;
}

/**
 * The text with a server. What the installation does not decide in an entry of the same name stays as it is.
 * @throws CliFailure if the file is broken, or is no file of settings
 */
export function withServer(settings: SettingsText, name: string, { entry: written, inputs }: WrittenServer): string {
  const { container, header = {}, isList = false } = settings.place;
  const before = readSettings(settings);
  const old = before.servers.get(name);
  const entry = { ...(isList && { name }), ...mergedEntry(old, written) };
  const title = Object.keys(before.members).length === 0 ? header : {};
  return changed(settings, before.members, [
    ...Object.entries(title).map(([member, value]) => ({ path: [member], value })),
    ...changesOf(old, entry, [container, old || !isList ? name : '-']),
    ...inputs.flatMap((input) => inputChange(before, input)),
  ]);
}

/**
 * The text without a server.
 * @throws CliFailure if the file is broken, or is no file of settings
 */
export function withoutServer(settings: SettingsText, name: string): string {
  const before = readSettings(settings);
  if (!before.servers.has(name)) return settings.text;
  // From the end, so that the positions of the others stay.
  const orphans = orphanedInputs(before, name).reverse();
  const changes = orphans.map((at) => ({ path: ['inputs', String(at)] }));
  return changed(settings, before.members, [{ path: [settings.place.container, name] }, ...changes]);
}

/** The names of the servers in a file. @throws CliFailure if the file is broken */
export function serverNames(settings: SettingsText): string[] {
  return [...readSettings(settings).servers.keys()];
}

/** The entry of a server in a file. @throws CliFailure if the file is broken */
export function findServer(settings: SettingsText, name: string): SettingsEntry | undefined {
  return readSettings(settings).servers.get(name);
}

function readSettings({ file, place, text }: SettingsText): ReadSettings {
  const { format, container, isList = false } = place;
  const parsed = LANGUAGES[format].parse(text);
  if (parsed.problem) throw failure('SIGIL_INSTALL_BROKEN', { file, ...parsed.problem });
  const foreign = (member: string, expected: string) => failure('SIGIL_INSTALL_FOREIGN', { file, member, expected });
  const { value: members } = parsed;
  if (!isObject(members)) throw foreign('The file', 'an object');
  const held = members[container] ?? (isList ? [] : {});
  if (isList) {
    if (!Array.isArray(held)) throw foreign(`"${container}"`, 'a list');
    if (!held.every(isObject)) throw foreign(`"${container}"`, 'a list of servers');
    // An element without a name, such as a block of Continue's hub, is its author's.
    const servers = held.flatMap((one): [string, SettingsEntry][] => {
      const { name } = one;
      return typeof name === 'string' ? [[name, one]] : [];
    });
    return { members, servers: new Map(servers) };
  }
  if (!isObject(held)) throw foreign(`"${container}"`, 'an object');
  const servers = Object.entries(held).map(([name, entry]): [string, SettingsEntry] => {
    if (!isObject(entry)) throw foreign(`"${container}.${name}"`, 'an object');
    return [name, entry];
  });
  return { members, servers: new Map(servers) };
}

/** The changed text. @throws CliFailure if it means anything else than it should */
function changed({ file, place, text }: SettingsText, members: unknown, changes: readonly MemberChange[]): string {
  const { parse, set, remove } = LANGUAGES[place.format];
  const edited = changes.reduce(
    (left, { path, value }) => (value === undefined ? remove(left, path) : set(left, path, value)),
    text,
  );
  const expected = changes.reduce((left, { path, value }) => applied(left, path, value), members);
  const parsed = parse(edited);
  if (parsed.problem || !isDeepStrictEqual(plain(parsed.value, place), plain(expected, place)))
    throw failure('SIGIL_INSTALL_BY_HAND', { file });
  return edited;
}

/** What a value is after a change. @param value undefined for a member that is removed */
function applied(before: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (!Array.isArray(before) && name !== '-') {
    const members = new Map(Object.entries(isObject(before) ? before : {}));
    const after = applied(members.get(name), rest, value);
    if (after === undefined) members.delete(name);
    else members.set(name, after);
    return Object.fromEntries(members);
  }
  const list: readonly unknown[] = Array.isArray(before) ? before : [];
  const named = list.findIndex((one) => isObject(one) && one['name'] === name);
  const at = name === '-' ? list.length : named === -1 ? Number(name) : named;
  const after = applied(list[at], rest, value);
  return [...list.slice(0, at), ...(after === undefined ? [] : [after]), ...list.slice(at + 1)];
}

/** The questions of the file. */
function inputsOf({ members: { inputs } }: ReadSettings): readonly unknown[] {
  return Array.isArray(inputs) ? inputs : [];
}

function inputChange(before: ReadSettings, input: AskedInput): MemberChange[] {
  const inputs = inputsOf(before);
  const at = inputs.findIndex((one) => isObject(one) && one['id'] === input.id);
  if (at !== -1 && isDeepStrictEqual(inputs[at], input)) return [];
  return [{ path: ['inputs', at === -1 ? '-' : String(at)], value: input }];
}

/** The positions of the questions that only one server uses. */
function orphanedInputs(before: ReadSettings, name: string): number[] {
  const others = [...before.servers].filter(([other]) => other !== name);
  const [used, stillUsed] = [before.servers.get(name), others].map((value) => JSON.stringify(value));
  return inputsOf(before).flatMap((input, at) => {
    const reference = `\${input:${isObject(input) ? String(input['id']) : ''}}`;
    return used?.includes(reference) === true && stillUsed?.includes(reference) !== true ? [at] : [];
  });
}

/** A value without its prototypes; a container without servers may also be absent. */
function plain(value: unknown, { container }: Place): unknown {
  const copy = JSON.parse(JSON.stringify(value)) as unknown;
  if (!isObject(copy)) return copy;
  const { [container]: held, ...rest } = copy;
  const isEmpty = held === undefined || held === null || (typeof held === 'object' && Object.keys(held).length === 0);
  return isEmpty ? rest : copy;
}

/** The changes from one value to another. Lists are changed as a whole. */
function changesOf(before: unknown, after: unknown, path: readonly string[]): MemberChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, value: after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): MemberChange[] => {
    const inner = [...path, name];
    if (!Object.hasOwn(after, name)) return [{ path: inner }];
    return changesOf(Object.hasOwn(before, name) ? before[name] : undefined, after[name], inner);
  });
}
