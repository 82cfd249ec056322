/** The one check of options that a program passes: from JavaScript, past a cast or with a typing error, anything may come. */
import { isObject } from '../json/json-value';
import { nameValue } from '../values/name-value';
import { findMisspelt, nearestNames } from '../values/nearest-names';
import { defineErrors, DefinitionError, type DefinitionProblem, type ReportProblem } from './define-errors';

/** Of every function that takes options. */
const { entries, problem } = defineErrors({
  SIGIL_OPTION_UNKNOWN: { problem: 'there is no such option.', fix: 'Use one of: {known}.{suggestion}' },
  SIGIL_OPTION_KIND: { problem: 'it is {value}.', fix: 'Pass {wanted}.' },
});

/** Their texts, for the catalogue of a package. */
export const OPTION_ERRORS = entries;

/** A kind of value. */
export interface OptionRule {
  /** In words that follow "Pass". */
  readonly wanted: string;
  readonly fits: (value: unknown) => boolean;
  /** Of an object, or of each object in a list. An instance of a class may have others, of its own. */
  readonly members?: OptionRules;
}

/** Marks the members of objects that may have others. */
const OTHERS = Symbol('other members');

/** Which objects may have other members. */
interface Others {
  /** A member without which another one seems to stand in its place. None if left out. */
  readonly needs?: string;
  /** Whether only instances of classes may have others; false if left out. */
  readonly onlyInstances?: boolean;
}

/** The options of one function. Those that are undefined are checked where they are read, which says more about them. */
export type OptionRules = Readonly<Record<string, OptionRule | undefined>> & { readonly [OTHERS]?: Others };

/** Kinds that many options have. */
export const OPTION_RULES = {
  flag: { wanted: 'true or false', fits: (value) => typeof value === 'boolean' },
  anyText: { wanted: 'a text', fits: (value) => typeof value === 'string' },
  text: { wanted: 'a text that is not empty', fits: (value) => typeof value === 'string' && value !== '' },
  list: { wanted: 'an array', fits: Array.isArray },
  texts: {
    wanted: 'an array of texts',
    fits: (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
  },
  milliseconds: {
    wanted: 'a number of milliseconds, 0 or more',
    fits: (value) => typeof value === 'number' && value >= 0,
  },
  object: { wanted: 'an object', fits: (value) => isObject(value) && !Array.isArray(value) },
  function: { wanted: 'a function', fits: (value) => typeof value === 'function' },
} as const satisfies OptionRules;

/** A whole number. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): OptionRule {
  const wanted =
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`;
  return { wanted, fits: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most };
}

/**
 * The members of objects that come from data, or have state of their own: other members are allowed, unless they are a misspelling
 * of a member that is missing.
 */
export function withOthers<T extends OptionRules>(members: T, others: Others = {}): T {
  return { ...members, [OTHERS]: others };
}

/** A value of this kind, or null for none. */
export function orNull(rule: OptionRule): OptionRule {
  return { ...rule, fits: (value) => value === null || rule.fits(value) };
}

/** An object whose members are options, too. */
export function membersOf(members: OptionRules): OptionRule {
  return { ...OPTION_RULES.object, members };
}

/** An array of such objects. */
export function listOf(wanted: string, members: OptionRules): OptionRule {
  return { wanted, fits: (value) => Array.isArray(value) && value.every(isObject), members };
}

/** One of these texts. */
export function oneOf(...texts: readonly string[]): OptionRule {
  const quoted = texts.map((text) => `'${text}'`);
  const wanted = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return { wanted, fits: (value) => typeof value === 'string' && texts.includes(value) };
}

/**
 * Reports options that do not exist, with the nearest name, and values of the wrong kind.
 * @param call the function that takes the options, such as `createServer`
 * @returns whether all are as they have to be
 */
export function checkOptions(call: string, options: unknown, kinds: OptionRules, report: ReportProblem): boolean {
  if (!OPTION_RULES.object.fits(options)) {
    report(
      problem('SIGIL_OPTION_KIND', `${call}(…)`, { value: nameValue(options), wanted: OPTION_RULES.object.wanted }),
    );
    return false;
  }
  const whereOf = (name: string): string => `${call}({ ${name} })`;
  return checkMembers(options as object, { kinds, whereOf }, report);
}

/** What a function that throws does with wrong options: as `checkOptions`. @throws DefinitionError with all problems */
export function requireOptions(call: string, options: unknown, kinds: OptionRules): void {
  const problems: DefinitionProblem[] = [];
  checkOptions(call, options, kinds, (found) => problems.push(found));
  if (problems.length > 0) throw new DefinitionError(problems, `${call}()`);
}

interface OptionPlace {
  readonly kinds: OptionRules;
  readonly whereOf: (name: string) => string;
}

function checkMembers(given: object, place: OptionPlace, report: ReportProblem): boolean {
  const { kinds, whereOf } = place;
  const results = Object.entries(given).map(([name, value]: [string, unknown]) => {
    const where = whereOf(name);
    if (!Object.hasOwn(kinds, name)) return checkOther(name, given, { place, report });
    const kind = kinds[name];
    if (value === undefined || !kind) return true;
    if (!kind.fits(value)) {
      report(problem('SIGIL_OPTION_KIND', where, { value: nameValue(value), wanted: kind.wanted }));
      return false;
    }
    const { members } = kind;
    if (!members) return true;
    const isList = Array.isArray(value);
    const within = (member: string): string => whereOf(isList ? `${name}: [{ ${member} }]` : `${name}: { ${member} }`);
    const objects = (isList ? (value as unknown[]) : [value]).filter(isPlain);
    return objects.map((object) => checkMembers(object, { kinds: members, whereOf: within }, report)).every(Boolean);
  });
  return results.every(Boolean);
}

/** Reports a member that is not known, unless it may be there. */
function checkOther(
  name: string,
  given: object,
  { place: { kinds, whereOf }, report }: { readonly place: OptionPlace; readonly report: ReportProblem },
): boolean {
  const known = Object.keys(kinds);
  const isMissing = (member: string): boolean => Reflect.get(given, member) === undefined;
  const others = kinds[OTHERS];
  const mayHaveOthers =
    others && !(others.onlyInstances && isPlain(given)) && !(others.needs !== undefined && isMissing(others.needs));
  const nearest = mayHaveOthers ? findMisspelt(name, known.filter(isMissing)) : nearestNames(name, known)[0];
  if (mayHaveOthers && nearest === undefined) return true;
  const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  report(problem('SIGIL_OPTION_UNKNOWN', whereOf(name), { suggestion, known: known.join(', ') }));
  return false;
}

/** Whether a value is an object of no class; in every realm, the prototype of such objects has none itself. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
