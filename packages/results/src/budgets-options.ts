/** The options of `resultBudgets`, and their check. */
import type { ReportProblem } from '@sigil-mcp/core';
import { isObject, nameValue } from '@sigil-mcp/core/adapter';
import { resultsProblem } from './errors';
import type { RestStore } from './stores/rest-store';

/** The options of `resultBudgets`. */
export interface ResultBudgetsOptions {
  /** Where the rests of results are kept; in the memory of this process if left out: then other instances do not find them. */
  readonly store?: RestStore;
  /** Milliseconds that the rest of a result can be read; 10 minutes if left out. */
  readonly ttl?: number;
  /** Whether callers without a token may read the rest of a result on a server that requires tokens; false if left out. */
  readonly public?: boolean;
}

/** Ten minutes. */
export const DEFAULT_TTL = 600_000;

const WHERE = 'createServer({ extensions })';

const OPTIONS: Readonly<Record<string, { readonly wanted: string; readonly fits: (value: unknown) => boolean }>> = {
  store: {
    wanted: 'a store, such as new MemoryRestStore()',
    fits: (value) => isObject(value) && ['keep', 'find'].every((name) => typeof value[name] === 'function'),
  },
  ttl: {
    wanted: 'milliseconds, more than 0',
    fits: (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
  },
  public: { wanted: 'true or false', fits: (value) => typeof value === 'boolean' },
};

/** Reports options that do not exist, and values that do not fit. */
export function checkOptions(options: unknown, report: ReportProblem): void {
  const wrong = (option: string, value: unknown, wanted: string): void =>
    report(resultsProblem('SIGIL_RESULTS_OPTION', WHERE, { option, value: nameValue(value), wanted }));
  if (!isObject(options)) return wrong('…', options, 'an object');
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
    if (value !== undefined && !kind?.fits(value))
      wrong(name, value, kind?.wanted ?? `one of the options ${Object.keys(OPTIONS).join(', ')}`);
  }
}
