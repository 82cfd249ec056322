/** The options of `searchToolset`. */
import type { EntryFacts, EntryView, GuardReference, ReportProblem, ScopeList } from '@sigil-mcp/core';
import { nearestNames, OPTION_RULES, type OptionRules } from '@sigil-mcp/core/internal';
import { toolsetProblem } from './errors';

/** Which tools stay in the list beside those of the toolset: their names, or a function that chooses them. */
export type ListedTools = readonly string[] | ((tool: EntryFacts<'tool'>) => boolean);

/** The options that both toolsets have. */
export interface ToolsetOptions {
  /**
   * Tools that stay in the list, and can be found nevertheless. None if left out, except tools with a view (MCP Apps), which always stay:
   * hosts look there for the view.
   * @example always: ['log_in']
   */
  readonly always?: ListedTools;
  /** Guards of the tools of the toolset, besides those of the server; none if left out. Those of other tools apply as ever. */
  readonly guards?: readonly GuardReference[];
  /** Scopes that callers need for the tools of the toolset; none if left out. */
  readonly scopes?: ScopeList;
  /** Whether callers without a token may use the tools of the toolset of a server that requires tokens; false if left out. */
  readonly public?: boolean;
}

/** The options of `searchToolset`. */
export interface SearchToolsetOptions extends ToolsetOptions {
  /** The names of the two tools; `search_tools` and `call_tool` if left out. */
  readonly names?: { readonly search?: string; readonly call?: string };
  /** Tools that a search answers with, unless the model asks for another number; 5 if left out. */
  readonly results?: number;
  /** Characters of JSON in the answer of a search at most, of the first tool apart; 16,000 if left out. */
  readonly answerLength?: number;
}

/** The options with their defaults. */
export interface ResolvedSearch {
  readonly names: { readonly search: string; readonly call: string };
  readonly results: number;
  readonly answerLength: number;
}

/** The most tools that one search answers with. */
export const MOST_RESULTS = 20;
/** Characters of what is searched for: nothing reads more. */
export const LONGEST_QUERY = 500;

/** Fills in what was left out. */
export function resolveSearch({
  names = {},
  results = 5,
  answerLength = 16_000,
}: SearchToolsetOptions): ResolvedSearch {
  const { search = 'search_tools', call = 'call_tool' } = names;
  return { names: { search, call }, results, answerLength };
}

// The options of toolsets, as JavaScript or a cast may pass them.

const WHERE = 'createServer({ extensions })';

/** The options that both toolsets have. */
export const SHARED_OPTIONS: OptionRules = {
  always: {
    wanted: "an array of names of tools, such as ['log_in'], or a function that chooses them",
    fits: (value) => typeof value === 'function' || (Array.isArray(value) && value.every(OPTION_RULES.text.fits)),
  },
  guards: OPTION_RULES.list,
  scopes: OPTION_RULES.list,
  public: OPTION_RULES.flag,
};

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
