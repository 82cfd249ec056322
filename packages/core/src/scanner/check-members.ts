/** Whether the data of an entry has only known members: in JavaScript, a misspelt option would be ignored silently. */
import { wordsFor } from '../errors/words-for';
import { shorten } from '../values/shorten';
import type { EntryData, PromptData, ResourceData, ToolData } from './entry-data';
import { reportMember, type Member } from './member';

/** The names of all members of `T`. */
type Names<T> = Readonly<Record<keyof T, true>>;

const COMMON = { kind: true, name: true, title: true, description: true, handler: true, input: true } as const;
const AROUND = {
  guards: true,
  interceptors: true,
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

/** Whether all members are known; reports the others. */
export function checkMembers(member: Member, data: EntryData): boolean {
  const known = KNOWN[data.kind];
  const strangers = Object.keys(data).filter((name) => !Object.hasOwn(known, name));
  if (strangers.length === 0) return true;
  const values = { members: shorten(strangers.join(', '), 200), known: Object.keys(known).slice(1).join(', ') };
  reportMember(member, wordsFor('SIGIL_ENTRY_MEMBER', values));
  return false;
}
