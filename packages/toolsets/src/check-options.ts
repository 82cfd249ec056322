/** The options of toolsets, as JavaScript or a cast may pass them. */
import type { EntryView, ReportProblem } from '@sigil-mcp/core';
import { isObject, nameValue, nearestNames } from '@sigil-mcp/core/adapter';
import { toolsetProblem } from './errors';

/** What an option may be. */
export interface AllowedValue {
  readonly wanted: string;
  readonly fits: (value: unknown) => boolean;
}

/** The kinds of the options of one toolset, by their names. */
export type AllowedValues = Readonly<Record<string, AllowedValue>>;

const WHERE = 'createServer({ extensions })';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const LIST: AllowedValue = { wanted: 'an array', fits: Array.isArray };

/** A whole number. */
export function wholeNumber(least: number, most: number): AllowedValue {
  return {
    wanted: `a whole number from ${least} to ${most}`,
    fits: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  };
}

/** An object with some of these members, each of a kind. */
export function membersOf(kinds: AllowedValues, wanted: string): AllowedValue {
  const fits = ([name, value]: [string, unknown]): boolean =>
    value === undefined || (Object.hasOwn(kinds, name) && kinds[name]?.fits(value) === true);
  return { wanted, fits: (value) => isObject(value) && !Array.isArray(value) && Object.entries(value).every(fits) };
}

/** The name of a tool. */
export const TOOL_NAME: AllowedValue = { wanted: 'a name', fits: isText };

/** The options that both toolsets have. */
export const SHARED_OPTIONS: AllowedValues = {
  always: {
    wanted: "an array of names of tools, such as ['log_in'], or a function that chooses them",
    fits: (value) => typeof value === 'function' || (Array.isArray(value) && value.every(isText)),
  },
  guards: LIST,
  scopes: LIST,
  public: { wanted: 'true or false', fits: (value) => typeof value === 'boolean' },
};

/** Reports options that do not exist, and values that do not fit. */
export function checkOptions(toolset: string, options: unknown, kinds: AllowedValues, report: ReportProblem): boolean {
  if (!isObject(options)) {
    const values = { toolset, option: '…', value: nameValue(options), wanted: 'an object' };
    report(toolsetProblem('SIGIL_TOOLSETS_OPTION', WHERE, values));
    return false;
  }
  const kindOf = (name: string): AllowedValue | undefined => (Object.hasOwn(kinds, name) ? kinds[name] : undefined);
  const wrong = Object.entries(options).filter(([name, value]) => value !== undefined && !kindOf(name)?.fits(value));
  for (const [option, value] of wrong) {
    const wanted = kindOf(option)?.wanted ?? `one of the options ${Object.keys(kinds).join(', ')}`;
    report(toolsetProblem('SIGIL_TOOLSETS_OPTION', WHERE, { toolset, option, value: nameValue(value), wanted }));
  }
  return wrong.length === 0;
}

/** Reports names in `always` that no tool has. */
export function checkAlways(toolset: string, always: unknown, entries: EntryView, report: ReportProblem): void {
  if (!Array.isArray(always)) return;
  const known = [...entries.all('tool')].map(({ key }) => key);
  for (const name of always.map(String).filter((each) => !known.includes(each))) {
    const [nearest] = nearestNames(name, known);
    const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    report(toolsetProblem('SIGIL_TOOLSETS_ALWAYS', WHERE, { toolset, name, suggestion }));
  }
}
