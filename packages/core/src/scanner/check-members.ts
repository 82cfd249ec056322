/** Whether the data of an entry, or the options of its decorator, have only known members: a misspelt one would be ignored silently. */
import { wordsFor } from '../errors/catalogue';
import { isObject, nameValue, shorten } from '@sigil-mcp/base';
import type { EntryData, PromptData, ResourceData, ToolData } from './entry-data';
import { reportMember, type Member } from './member';

/** The names of all members of `T`. */
type Names<T> = Readonly<Record<keyof T, true>>;

const COMMON = { kind: true, name: true, title: true, description: true, handler: true, input: true } as const;
const AROUND = {
  guards: true,
  interceptors: true,
  facts: true,
  scopes: true,
  public: true,
  asks: true,
  icons: true,
  meta: true,
} as const;

const TOOL: Names<ToolData> = {
  ...COMMON,
  ...AROUND,
  output: true,
  readOnly: true,
  destructive: true,
  idempotent: true,
  openWorld: true,
  coerce: true,
  timeout: true,
  concurrency: true,
  mimeType: true,
};
const RESOURCE: Names<ResourceData> = {
  ...COMMON,
  ...AROUND,
  uri: true,
  mimeType: true,
  size: true,
  annotations: true,
  cache: true,
  list: true,
  complete: true,
};
const PROMPT: Names<PromptData> = { ...COMMON, ...AROUND, complete: true };

const KNOWN: Readonly<Record<EntryData['kind'], object>> = { tool: TOOL, resource: RESOURCE, prompt: PROMPT };

/** Members of data that a decorator takes as its first argument, reads from the method, or leaves to another decorator. */
const NOT_OPTIONS: ReadonlySet<string> = new Set([
  ...['kind', 'handler', 'uri', 'list', 'complete'],
  ...['guards', 'interceptors', 'scopes', 'public', 'facts'],
]);

const OPTIONS: Readonly<Record<EntryData['kind'], ReadonlySet<string>>> = {
  tool: optionsOf(TOOL, 'description'),
  resource: optionsOf(RESOURCE),
  prompt: optionsOf(PROMPT, 'description'),
};

/** Whether all members are known; reports the others. */
export function checkMembers(member: Member, data: EntryData): boolean {
  const known = KNOWN[data.kind];
  const unexpected = Object.keys(data).filter((name) => !Object.hasOwn(known, name));
  return unexpected.length === 0 || reportUnexpected(member, unexpected, Object.keys(known).slice(1));
}

/** Whether the options of a decorator are an object with known members; reports what is not. */
export function checkOptions(member: Member, kind: EntryData['kind'], options: unknown): boolean {
  if (!isObject(options)) {
    reportMember(member, wordsFor('SIGIL_DECORATOR_OPTIONS', { value: nameValue(options) }));
    return false;
  }
  const known = OPTIONS[kind];
  const unexpected = Object.keys(options).filter((name) => !known.has(name));
  return unexpected.length === 0 || reportUnexpected(member, unexpected, [...known]);
}

function reportUnexpected(member: Member, unexpected: readonly string[], known: readonly string[]): false {
  const values = { members: shorten(unexpected.join(', '), 200), known: known.join(', ') };
  reportMember(member, wordsFor('SIGIL_ENTRY_MEMBER', values));
  return false;
}

function optionsOf(names: object, ...others: readonly string[]): ReadonlySet<string> {
  return new Set(Object.keys(names).filter((name) => !NOT_OPTIONS.has(name) && !others.includes(name)));
}
