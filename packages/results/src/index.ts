/** Results that fit the context of a model, as an extension of a server. */
export type { BudgetSettings } from './schemas';
export { RESULT_BUDGETS } from './names';
export { resultBudgets, type ResultBudgetsOptions } from './result-budgets';
export { MemoryRestStore, type RestLimits } from './stores/memory';
export type { RestStore, StoredRest } from './stores/rest-store';
