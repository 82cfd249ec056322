/** The entries of a definition as extensions see them before they are compiled, and what extensions say about them. */
import type { Meta } from '@sigil-mcp/protocol';
import type { EntryFacts, EntryKind } from '../context/entry-facts';
import type { EntryListing, EntryView, Extension } from '../extensions/extension';
import type { EntryPlan } from '../kinds/all-kinds';
import { factsOf } from './plan-data';

/** Reads plans. */
export class PlannedEntries implements EntryView {
  /**
   * @param enabled the enabled plans, in the order of their lists
   * @param every all plans; the enabled ones if left out
   */
  constructor(
    private readonly enabled: () => Iterable<EntryPlan>,
    private readonly every = enabled,
  ) {}

  entries<K extends EntryKind>(kind: K): Iterable<EntryFacts<K>> {
    return ofKind(this.enabled(), kind);
  }

  all<K extends EntryKind>(kind: K): Iterable<EntryFacts<K>> {
    return ofKind(this.every(), kind);
  }

  find<K extends EntryKind>(kind: K, key: string): EntryFacts<K> | undefined {
    for (const facts of this.entries(kind)) if (facts.key === key) return facts;
    return undefined;
  }
}

/**
 * The plan as lists show it, if they do, with what extensions add to its `_meta` and its schemas; the same plan if extensions do not change it.
 */
export function describedPlan(
  plan: EntryPlan,
  extensions: readonly Extension<object>[],
  entries: EntryView,
): EntryPlan {
  let described = plan;
  const listings: EntryListing[] = [];
  for (const extension of extensions) {
    const listing = extension.list?.(factsOf(described), entries);
    if (!listing) continue;
    listings.push(listing);
    described = withSchemas(described, listing);
  }
  const metas = listings.flatMap(({ meta }) => meta ?? []);
  if (metas.length > 0)
    described = changed(described, { _meta: Object.assign({}, ...metas, plan.definition._meta) as Meta });
  const isHidden = listings.some((listing) => listing.isHidden?.(factsOf(described)) === true);
  return isHidden ? { ...described, isUnlisted: true } : described;
}

/** The plan with the schemas that an extension shows of it. */
function withSchemas(plan: EntryPlan, { input, output }: EntryListing): EntryPlan {
  if (!(input ?? output)) return plan;
  return changed(plan, { ...(input && { inputSchema: input }), ...(output && { outputSchema: output }) });
}

/** The plan with another definition. */
function changed(plan: EntryPlan, changes: object): EntryPlan {
  // The definition is of the same kind.
  return { ...plan, definition: { ...plan.definition, ...changes } } as EntryPlan;
}

function* ofKind<K extends EntryKind>(plans: Iterable<EntryPlan>, kind: K): Iterable<EntryFacts<K>> {
  for (const plan of plans) {
    const facts = factsOf(plan);
    if (isOfKind(facts, kind)) yield facts;
  }
}

function isOfKind<K extends EntryKind>(facts: EntryFacts, kind: K): facts is EntryFacts<K> {
  return facts.kind === kind;
}
