/** Puts a server into the text of a file of settings, or takes it out, and checks that nothing else has changed. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@sigil-mcp/base';
import { failure } from '../../failure';
import type { AskedInput, SettingsEntry, Place, WrittenServer } from '../client';
import { mergedEntry } from '../merged-entry';
import { parseJsonSettings, removeFromJson, setInJson, type ParsedSettings } from './json-settings';
import { parseTomlSettings, removeFromToml, setInToml } from './toml-settings';
import { parseYamlSettings, removeFromYaml, setInYaml } from './yaml-settings';

/** One change of a file. */
interface MemberChange {
  /** The names from the top of the file. */
  readonly path: readonly string[];
  /** Absent for a member that is removed. */
  readonly value?: unknown;
}

/** A file of settings with its text; empty if it does not exist. */
export interface SettingsText {
  /** For messages. */
  readonly file: string;
  readonly place: Place;
  readonly text: string;
}

/** The members of a file, and its servers by name. */
interface ReadSettings {
  readonly members: Readonly<Record<string, unknown>>;
  readonly servers: ReadonlyMap<string, SettingsEntry>;
}

/**
 * The text with a server. What the installation does not decide in an entry of the same name stays as it is.
 * @throws CliFailure if the file is broken, or is no file of settings
 */
export function withServer(settings: SettingsText, name: string, server: WrittenServer): string {
  const { text, place } = settings;
  const before = readSettings(settings);
  const old = before.servers.get(name);
  const merged = mergedEntry(old, server.entry);
  const entry = place.isList ? { ...(old ? merged : { name, ...merged }), name } : merged;
  const inputs = place.format === 'toml' || place.format === 'yaml' ? [] : server.inputs;
  const servers = new Map(before.servers).set(name, entry);
  const members = { ...headerOf(before, place), ...before.members, ...listed(before, inputs) };
  const expected = written(members, place, servers);
  if (isSame(before.members, expected, place)) return text;
  return checked(
    settings,
    setServer(withHeader(settings, before), { place, changes: changesOf(old, entry, [place.container, name]), inputs }),
    expected,
  );
}

/**
 * The text without a server.
 * @throws CliFailure if the file is broken, or is no file of settings
 */
export function withoutServer(settings: SettingsText, name: string): string {
  const { text, place } = settings;
  const before = readSettings(settings);
  const entry = before.servers.get(name);
  if (!entry) return text;
  const servers = new Map(before.servers);
  servers.delete(name);
  const orphans = orphanedInputs(before, entry, servers);
  const edited = removeServer(text, { place, name, orphans });
  const kept = inputsOf(before).filter((input) => !orphans.includes(input));
  const members = orphans.length === 0 ? before.members : { ...before.members, inputs: kept };
  return checked(settings, edited, written(members, place, servers));
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
  const parsed = parse(format, text);
  if (parsed.problem) throw failure('SIGIL_INSTALL_BROKEN', { file, ...parsed.problem });
  const foreign = (member: string, expected: string) => failure('SIGIL_INSTALL_FOREIGN', { file, member, expected });
  const { value } = parsed;
  if (!isObject(value)) throw foreign('The file', 'an object');
  const held = value[container] ?? (isList ? [] : {});
  if (isList) {
    if (!Array.isArray(held)) throw foreign(`"${container}"`, 'a list');
    if (!held.every(isObject)) throw foreign(`"${container}"`, 'a list of servers');
    const named = held.flatMap((one): [string, SettingsEntry][] => {
      const name = nameOf(one);
      return name === undefined ? [] : [[name, one]];
    });
    return { members: value, servers: new Map(named) };
  }
  if (!isObject(held)) throw foreign(`"${container}"`, 'an object');
  const entries = Object.entries(held).map(([name, entry]): [string, SettingsEntry] => {
    if (!isObject(entry)) throw foreign(`"${container}.${name}"`, 'an object');
    return [name, entry];
  });
  return { members: value, servers: new Map(entries) };
}

function parse(format: Place['format'], text: string): ParsedSettings {
  if (format === 'toml') return parseTomlSettings(text);
  if (format === 'yaml') return parseYamlSettings(text);
  return parseJsonSettings(text, format === 'json');
}

/** What a file without members gets besides its servers. */
function headerOf({ members }: ReadSettings, { header = {} }: Place): Readonly<Record<string, string>> {
  return Object.keys(members).length === 0 ? header : {};
}

function withHeader({ text, place }: SettingsText, before: ReadSettings): string {
  return Object.entries(headerOf(before, place)).reduce(
    (left, [name, value]) => changed(left, place, { path: [name], value }),
    text,
  );
}

interface ServerChange {
  readonly place: Place;
  readonly changes: readonly MemberChange[];
  readonly inputs: readonly AskedInput[];
}

function setServer(text: string, { place, changes, inputs }: ServerChange): string {
  let edited = changes.reduce((left, change) => changed(left, place, change), text);
  for (const input of inputs) {
    const at = inputsIn(edited).findIndex((one) => isObject(one) && one['id'] === input.id);
    edited = setInJson(edited, ['inputs', at === -1 ? '-' : String(at)], input);
  }
  return edited;
}

function changed(text: string, { format, isList }: Place, { path, value }: MemberChange): string {
  if (format === 'toml') return value === undefined ? removeFromToml(text, path) : setInToml(text, path, value);
  if (format === 'yaml') return value === undefined ? removeFromYaml(text, path) : setInYaml(text, path, value, isList);
  return value === undefined ? removeFromJson(text, path) : setInJson(text, path, value);
}

interface ServerRemoval {
  readonly place: Place;
  readonly name: string;
  readonly orphans: readonly unknown[];
}

function removeServer(text: string, { place, name, orphans }: ServerRemoval): string {
  let edited = changed(text, place, { path: [place.container, name] });
  for (const orphan of orphans) {
    const at = inputsIn(edited).findIndex((one) => isDeepStrictEqual(one, orphan));
    edited = removeFromJson(edited, ['inputs', String(at)]);
  }
  return edited;
}

function inputsIn(text: string): readonly unknown[] {
  const { value } = { value: undefined, ...parseJsonSettings(text, false) };
  const inputs = isObject(value) ? value['inputs'] : undefined;
  return Array.isArray(inputs) ? inputs : [];
}

function inputsOf({ members }: ReadSettings): readonly unknown[] {
  const inputs = members['inputs'];
  return Array.isArray(inputs) ? inputs : [];
}

/** The questions of the file after new ones were added. */
function listed(before: ReadSettings, added: readonly AskedInput[]): SettingsEntry {
  if (added.length === 0) return {};
  const inputs = [...inputsOf(before)];
  for (const input of added) {
    const at = inputs.findIndex((one) => isObject(one) && one['id'] === input.id);
    inputs.splice(at === -1 ? inputs.length : at, at === -1 ? 0 : 1, input);
  }
  return { inputs };
}

/** The questions that only a removed server uses. */
function orphanedInputs(
  before: ReadSettings,
  entry: SettingsEntry,
  left: ReadonlyMap<string, SettingsEntry>,
): unknown[] {
  const [used, stillUsed] = [JSON.stringify(entry), JSON.stringify([...left.values()])];
  return inputsOf(before).filter((input) => {
    const reference = `\${input:${isObject(input) ? String(input['id']) : ''}}`;
    return used.includes(reference) && !stillUsed.includes(reference);
  });
}

function written(
  members: SettingsEntry,
  { container, isList }: Place,
  servers: ReadonlyMap<string, SettingsEntry>,
): unknown {
  return { ...members, [container]: isList ? elements(members[container], servers) : Object.fromEntries(servers) };
}

/** A list with other servers. An element without a name, such as a block of Continue's hub, is its author's. */
function elements(before: unknown, servers: ReadonlyMap<string, SettingsEntry>): unknown[] {
  const held: readonly unknown[] = Array.isArray(before) ? before : [];
  const left = held.map((one) => {
    const name = nameOf(one);
    return name === undefined ? one : servers.get(name);
  });
  const names = new Set(held.map(nameOf));
  const added = [...servers].flatMap(([name, entry]) => (names.has(name) ? [] : [entry]));
  return [...left.filter((one) => one !== undefined), ...added];
}

/** The name of a server in a list. */
function nameOf(element: unknown): string | undefined {
  const name = isObject(element) ? element['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** @throws CliFailure if the edited text means anything else than it should */
function checked({ file, place }: SettingsText, edited: string, expected: unknown): string {
  const parsed = parse(place.format, edited);
  if (parsed.problem || !isSame(parsed.value, expected, place)) throw failure('SIGIL_INSTALL_BY_HAND', { file });
  return edited;
}

function isSame(one: unknown, other: unknown, place: Place): boolean {
  return isDeepStrictEqual(plain(one, place), plain(other, place));
}

/** A value without its prototypes; a container without servers may also be absent. */
function plain(value: unknown, { container }: Place): unknown {
  const copy = JSON.parse(JSON.stringify(value)) as unknown;
  if (!isObject(copy)) return copy;
  const { [container]: held, ...rest } = copy;
  const isEmpty = held === undefined || held === null || (typeof held === 'object' && Object.keys(held).length === 0);
  return isEmpty ? rest : { ...rest, [container]: held };
}

/** The changes from one value to another. Lists are changed as a whole. */
function changesOf(before: unknown, after: unknown, path: readonly string[]): MemberChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isMembers(before) || !isMembers(after)) return [{ path, value: after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): MemberChange[] => {
    const inner = [...path, name];
    if (!Object.hasOwn(after, name)) return [{ path: inner }];
    return Object.hasOwn(before, name)
      ? changesOf(before[name], after[name], inner)
      : [{ path: inner, value: after[name] }];
  });
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}
