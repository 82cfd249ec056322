/** The options of toolsets, as JavaScript or a cast may pass them. */
import type { EntryView, ReportProblem } from '@sigil-mcp/core';
import { nearestNames, OPTION_RULES, type OptionRules } from '@sigil-mcp/core/adapter';
import { toolsetProblem } from './errors';

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
