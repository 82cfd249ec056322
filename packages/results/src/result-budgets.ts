/** `resultBudgets()`: the extension, as one value. */
import type { EntryFacts, Extension, ExtensionServices, Stoppable } from '@sigil-mcp/core';
import { lifeOf } from '@sigil-mcp/core/adapter';
import { checkOptions, isObject, OPTION_RULES, type OptionRules } from '@sigil-mcp/core/internal';
import { BUDGET, BUDGET_OPTION, checkSchemas, listOf, schemasWithBudget } from './schemas';
import { MAX_CHARACTERS, REST, RESULT_BUDGETS } from './names';
import { budgetStage, type StartedBudgets } from './served/budget-stage';
import { KeptRests } from './served/kept-rests';
import { REST_STAGE, restResource } from './served/rest-resource';
import { MemoryRestStore } from './stores/memory';
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
const DEFAULT_TTL = 600_000;

/** What each option may be. */
const BUDGETS_OPTIONS: OptionRules = {
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

const UNSHARED =
  'This server has stores for several instances, and keeps the rests of results in the memory of each: a client that reaches another instance does not find them. Give resultBudgets({ store }) a store that the instances share.';

/**
 * Results that fit: a tool with the option `budget` gives a model no more characters than that. A longer list is cut after a whole item, a longer
 * text after a line, and a large file becomes a link. The next part comes for the argument `cursor`, without the tool, and the rest is a resource
 * for the same caller, for a time. Put it before other extensions in the list, such as `tasks()`: the first is the outermost.
 * @example
 * class BookFeature {
 *   ```@Tool('Lists all books', { output: Books, budget: 8_000 })```
 *   list(): Books { ... }
 * }
 * createServer({ name: 'library', version: '1.0.0', features: [BookFeature], extensions: [resultBudgets()] });
 */
export function resultBudgets(options: ResultBudgetsOptions = {}): Extension<object> {
  // JavaScript, or a cast, may pass any value: it is reported when the server is defined.
  const given: ResultBudgetsOptions = isObject(options) ? options : {};
  const extension: Extension<StartedBudgets & Stoppable> = {
    name: RESULT_BUDGETS,
    options: [BUDGET_OPTION],
    features: () => [restResource(given.public === true)],
    list(entry) {
      const budget = BUDGET.of(entry);
      return (
        budget && { ...(isTool(entry) && schemasWithBudget(entry)), meta: { [MAX_CHARACTERS]: budget.characters } }
      );
    },
    check(entry, report) {
      const budget = BUDGET.of(entry);
      if (budget && isTool(entry)) checkSchemas(entry, budget, report);
    },
    checkAll: (_entries, report) => void checkOptions('resultBudgets', options, BUDGETS_OPTIONS, report),
    stage(entry) {
      if (entry.kind === 'resource-template' && entry.key === REST) return REST_STAGE;
      const budget = BUDGET.of(entry);
      if (!budget || !isTool(entry)) return undefined;
      const { characters, ttl = given.ttl ?? DEFAULT_TTL } = budget;
      const place = listOf(entry.definition.outputSchema, budget);
      return budgetStage({ tool: entry.key, characters, ttl, place });
    },
    start: (services) => start(given.store ?? new MemoryRestStore({}, services.clock), services),
  };
  return extension;
}

async function start(store: RestStore, services: ExtensionServices): Promise<StartedBudgets & Stoppable> {
  const rests = new KeptRests(store, services);
  if (!store.isShared && services.hasStores) services.logger.warn({}, UNSHARED);
  const { name } = services.server;
  await lifeOf(store).enter(() => store.open?.(name, services.account), name);
  return { rests, services, stop: () => lifeOf(store).leave(() => store.close?.()) };
}

function isTool(entry: EntryFacts): entry is EntryFacts<'tool'> {
  return entry.kind === 'tool';
}
