/** The options of `resultBudgets`, and their check. */
import { isObject, OPTION_RULES, type OptionRules } from '@sigil-mcp/core/adapter';
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

/** What each option may be. */
export const BUDGETS_OPTIONS: OptionRules = {
  store: {
    wanted: 'a store, such as new MemoryRestStore()',
    fits: (value) => isObject(value) && ['keep', 'find'].every((name) => typeof value[name] === 'function'),
  },
  ttl: {
    wanted: 'milliseconds, more than 0',
    fits: (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
  },
  public: OPTION_RULES.flag,
};
