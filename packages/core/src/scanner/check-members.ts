/** Whether the data of an entry, or the options of its decorator, have only known members, and whether its guards are guards. */
import {
  checkOptions as checkKinds,
  isClass,
  isObject,
  nameValue,
  nearestNames,
  OPTION_RULES,
  shorten,
  wholeNumber,
  type OptionRules,
  type ReportProblem,
} from '@sigil-mcp/base';
import { METADATA_RULES } from '@sigil-mcp/protocol';
import { problem, wordsFor } from '../errors/catalogue';
import type { RulesOf } from '../kinds/all-kinds';
import { reportMember, type Member } from '../members/member';

const { flag: FLAG, object: OBJECT, anyText: ANY_TEXT, text: TEXT } = OPTION_RULES;

/** Members that are passed on as they are; all others are checked where they are read. */
const PASSED_ON: OptionRules = {
  ...METADATA_RULES,
  title: ANY_TEXT,
  meta: OBJECT,
  mimeType: TEXT,
  size: wholeNumber(0),
  readOnly: FLAG,
  destructive: FLAG,
  idempotent: FLAG,
  openWorld: FLAG,
  coerce: FLAG,
  unlisted: FLAG,
  public: FLAG,
  complete: OBJECT,
  concurrency: {
    wanted: 'a number or an object',
    fits: () => true,
    members: { calls: undefined, perClient: undefined },
  },
};

/** Whether what is passed on is of the right kind; reports what is not. */
function checkPassedOn({ where, report }: Member, options: object): boolean {
  const doubtful: Record<string, unknown> = {};
  // A loop, because it runs for every entry of every server: most options are of the right kind at first sight.
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const kind = Object.hasOwn(PASSED_ON, name) ? PASSED_ON[name] : undefined;
    if (kind && (kind.members || !kind.fits(value))) doubtful[name] = value;
  }
  return Object.keys(doubtful).length === 0 || checkKinds(where, doubtful, PASSED_ON, report);
}

/** Whether all members are known, and what is passed on is of the right kind; reports the others. */
export function checkMembers(member: Member, data: object, { members: known }: RulesOf): boolean {
  const unexpected = Object.keys(data).filter((name) => !Object.hasOwn(known, name));
  if (unexpected.length > 0) return reportUnexpected(member, unexpected, Object.keys(known).slice(1));
  return checkPassedOn(member, data);
}

/** Whether the options of a decorator are an object with known members of the right kind; reports what is not. */
export function checkOptions(member: Member, options: unknown, { options: known }: RulesOf): boolean {
  if (!isObject(options)) {
    reportMember(member, wordsFor('SIGIL_DECORATOR_OPTIONS', { value: nameValue(options) }));
    return false;
  }
  const names = Object.keys(options);
  const unexpected = names.filter((name) => !known.has(name));
  if (unexpected.length > 0) return reportUnexpected(member, unexpected, [...known]);
  return names.length === 0 || checkPassedOn(member, options);
}

function reportUnexpected(member: Member, unexpected: readonly string[], known: readonly string[]): false {
  const nearest = unexpected.flatMap((name) => nearestNames(name, known).slice(0, 1));
  const suggestion = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(', ')}?`;
  const values = { members: shorten(unexpected.join(', '), 200), known: known.join(', '), suggestion };
  reportMember(member, wordsFor('SIGIL_ENTRY_MEMBER', values));
  return false;
}

// Whether guards and interceptors are what their names say: JavaScript, a cast or a circular import may put anything in their place.

/** The lists of a server, a module, a class, a method or an entry. */
export interface References {
  readonly guards?: readonly unknown[] | undefined;
  readonly interceptors?: readonly unknown[] | undefined;
}

/** Whether all of them can be used; reports the others. @param whereOf the place of one of them, by its list and position */
export function checkReferences(
  { guards = [], interceptors = [] }: References,
  whereOf: (list: keyof References, index: number) => string,
  report: ReportProblem,
): boolean {
  const problems = [
    ...unexpected(guards, 'allows').map(({ value, index }) =>
      problem('SIGIL_NOT_A_GUARD', whereOf('guards', index), { value: nameValue(value) }),
    ),
    ...unexpected(interceptors, 'intercept').map(({ value, index }) =>
      problem('SIGIL_NOT_AN_INTERCEPTOR', whereOf('interceptors', index), { value: nameValue(value) }),
    ),
  ];
  problems.forEach(report);
  return problems.length === 0;
}

function unexpected(references: readonly unknown[], method: string): { value: unknown; index: number }[] {
  // `Array.from` visits holes, too.
  return Array.from(references, (value, index) => ({ value, index })).filter(({ value }) => !has(value, method));
}

function has(value: unknown, method: string): boolean {
  if (isClass(value)) return method in value.prototype || isWrittenAsClass(value);
  return isObject(value) && typeof value[method] === 'function';
}

/** A class may have the method as a field, which only its instances show; a function like `Roles` is no class. */
function isWrittenAsClass(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith('class');
}
