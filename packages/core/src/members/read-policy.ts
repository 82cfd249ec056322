/** The rules for callers on a server, a module, a class and a method -> the policy of an entry. */
import { OPEN_POLICY, type EntryPolicy } from '../context/entry-facts';
import type { PolicyFact, ScopeList } from '../decorators/scopes';
import { problem } from '../errors/catalogue';
import { isObject, nameValue, type ReportProblem } from '@sigil-mcp/base';
import { isTimeLimit } from '../values/time-limit';

/** The rules of one place: a server, a module, a class, a method or data. */
export type PolicyLevel = readonly PolicyFact[];

/** Options in place of the decorators. */
export interface PolicyOptions {
  /** Scopes that a caller needs, and optionally `{ listed: false }` after them, as with `@Scopes`; none if left out. */
  readonly scopes?: ScopeList;
  /** Whether callers without a token may use it, as with `@Public`; false if left out. */
  readonly public?: boolean;
}

const NOTHING: PolicyLevel = [];

/** Converts options to the facts that the decorators would write. */
export function levelOf({ scopes, public: isPublic }: PolicyOptions): PolicyLevel {
  if (scopes === undefined && !isPublic) return NOTHING;
  return [...(scopes === undefined ? [] : [{ scopes }]), ...(isPublic ? [{ public: true } as const] : [])];
}

/** Whether the rules of one place are valid; reports why not. */
export function checkLevel(level: PolicyLevel, where: string, report: ReportProblem): boolean {
  const problems = level.flatMap((fact) => ('scopes' in fact ? problemsOf(fact, where) : []));
  const scopes = level.flatMap(scopesOf);
  if (problems.length === 0 && scopes.length > 0 && level.some(isPublic))
    problems.push(problem('SIGIL_PUBLIC_SCOPES', where, { scopes: scopes.join(' ') }));
  problems.forEach(report);
  return problems.length === 0;
}

/** @param levels the outermost first; each was checked */
export function policyOf(levels: readonly PolicyLevel[]): Omit<EntryPolicy, 'roles'> {
  const speaking = levels.filter(({ length }) => length > 0);
  if (speaking.length === 0) return OPEN_POLICY;
  if (speaking.at(-1)?.some(isPublic)) return { ...OPEN_POLICY, isPublic: true };
  const facts = speaking.flat();
  return {
    scopes: [...new Set(facts.flatMap(scopesOf))],
    isPublic: false,
    isListed: !facts.some(hides),
  };
}

function problemsOf(fact: PolicyFact, where: string) {
  const list = partsOf(fact);
  const unexpected = list.filter((value, index) => !isScope(value) && !isOptions(value, index, list.length));
  if (unexpected.length === 0 && list.some(isScope)) return [];
  if (unexpected.length === 0) return [problem('SIGIL_SCOPES_NONE', where)];
  return unexpected.map((value) => problem('SIGIL_SCOPE', where, { scope: nameValue(value) }));
}

/** Options come last, and have no other member: a misspelt one would show an entry to callers from whom it was to be hidden. */
function isOptions(value: unknown, index: number, length: number): boolean {
  if (!isObject(value) || index !== length - 1) return false;
  const { listed, ...others } = value;
  return Object.keys(others).length === 0 && (listed === undefined || typeof listed === 'boolean');
}

function isPublic(fact: PolicyFact): boolean {
  return 'public' in fact;
}

function scopesOf(fact: PolicyFact): readonly string[] {
  return partsOf(fact).filter((part) => typeof part === 'string');
}

function hides(fact: PolicyFact): boolean {
  return partsOf(fact).some((part) => isObject(part) && part['listed'] === false);
}

/** Scopes and options. The types require an array, but JavaScript does not check them. */
function partsOf(fact: PolicyFact): readonly unknown[] {
  if (!('scopes' in fact)) return [];
  const given: unknown = fact.scopes;
  return Array.isArray(given) ? given : [given];
}

/** Whether a time limit is valid, or left out; reports one that is not. */
export function checkTimeout(milliseconds: number | undefined, where: string, report: ReportProblem): boolean {
  if (milliseconds === undefined || isTimeLimit(milliseconds)) return true;
  report(problem('SIGIL_TOOL_TIMEOUT', where, { timeout: String(milliseconds) }));
  return false;
}

/** As RFC 6749 has them, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Whether a value is the name of one scope: visible ASCII without spaces, quotes and backslashes. */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && SCOPE.test(value);
}
