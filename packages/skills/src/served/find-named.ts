/** Finds the entries that the texts of skills name. */
import type { EntryFacts, EntryKind, EntryView, ReportProblem } from '@sigil-mcp/core';
import { nearestNames } from '@sigil-mcp/core/internal';
import { skillProblem } from '../errors';
import type { SkillReference } from '../skill';

/** An entry, by its name. */
export interface NeededEntry {
  readonly kind: EntryKind;
  readonly key: string;
}

/** Schemes that name things outside of every server. */
const COMMON_SCHEMES = new Set(['http', 'https', 'ws', 'wss', 'ftp', 'file', 'data', 'git', 'ssh']);

/** The entry that a text names; undefined if it names something else, or if nothing has the name, which is reported. */
export function findNamed(
  { kind, name, where }: SkillReference,
  entries: EntryView,
  report: ReportProblem,
): NeededEntry | undefined {
  const found = kind === 'call' ? findCall(name, entries) : findUri(name, entries);
  if (found) return { kind: found.kind, key: found.key };
  const known = namesOf(kind === 'call' ? ['tool', 'prompt'] : ['resource', 'resource-template'], entries);
  if (kind === 'uri' && !isOfServer(name, known)) return undefined;
  const [nearest] = nearestNames(name, known);
  const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const words = kind === 'call' ? 'tool or prompt' : 'resource';
  report(skillProblem('SIGIL_SKILL_REFERENCE', where, { name, kind: words, suggestion }));
  return undefined;
}

function findCall(name: string, entries: EntryView): EntryFacts | undefined {
  return entries.find('tool', name) ?? entries.find('prompt', name);
}

/** A resource, a template as it is written, what a template matches, or the folder of a skill. */
function findUri(uri: string, entries: EntryView): EntryFacts | undefined {
  const folder = uri.replace(/\/$/, '');
  return (
    entries.find('resource', uri) ??
    entries.find('resource-template', uri) ??
    entries.find('resource', `${folder}/SKILL.md`) ??
    [...entries.entries('resource-template')].find(({ key }) => patternOf(key).test(uri))
  );
}

/** Matches at least what a template matches: whether a variable fits is decided when the resource is read. */
function patternOf(template: string): RegExp {
  const literals = template.split(/\{[^{}]*\}/).map((literal) => literal.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`);
}

function namesOf(kinds: readonly EntryKind[], entries: EntryView): string[] {
  return kinds.flatMap((kind) => [...entries.entries(kind)].map(({ key }) => key));
}

/** Whether a URI has a scheme of the server, or nearly: other schemes are those of something else. */
function isOfServer(uri: string, known: readonly string[]): boolean {
  const scheme = schemeOf(uri);
  const own = new Set(['skill', ...known.map(schemeOf)]);
  if (own.has(scheme)) return !COMMON_SCHEMES.has(scheme) || known.some((key) => hostOf(key) === hostOf(uri));
  return scheme.length > 3 && !COMMON_SCHEMES.has(scheme) && nearestNames(scheme, own).length > 0;
}

function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(':'));
}

/** The part up to the first slash after the scheme. */
function hostOf(uri: string): string {
  return /^[^:]+:\/\/[^/]*/.exec(uri)?.[0] ?? uri;
}
