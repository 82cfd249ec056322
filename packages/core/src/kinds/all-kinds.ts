/** The kinds of entries. To add one, add a file to this folder and a line to the table here, and its definition to `Definitions`. */
import type { PromptFact } from '../decorators/prompt';
import type { ResourceFact } from '../decorators/resource';
import type { ToolFact } from '../decorators/tool';
import type { EntryKind } from '../context/entry-facts';
import type { EntryKindRules } from './entry-kind-rules';
import { PROMPT_RULES, type PromptData, type PromptPlan } from './prompt';
import { RESOURCE_RULES, type ResourcePlan } from './resource';
import type { ResourceData } from './resource-contents';
import { TEMPLATE_RULES, type TemplatePlan } from './resource-template';
import { TOOL_RULES, type ToolData, type ToolPlan } from './tool';

/** Kind -> the types of its plan, of what its decorator writes, and of its data. */
interface KindTypes {
  readonly tool: { readonly plan: ToolPlan; readonly fact: ToolFact; readonly data: ToolData };
  readonly resource: { readonly plan: ResourcePlan; readonly fact: ResourceFact; readonly data: ResourceData };
  readonly 'resource-template': {
    readonly plan: TemplatePlan;
    readonly fact: ResourceFact;
    readonly data: ResourceData;
  };
  readonly prompt: { readonly plan: PromptPlan; readonly fact: PromptFact; readonly data: PromptData };
}

/** One entry to be. */
export type EntryPlan<K extends EntryKind = EntryKind> = KindTypes[K]['plan'];

/** What the decorator of a kind writes. */
type FactOf<K extends EntryKind = EntryKind> = KindTypes[K]['fact'];

/** The rules of a kind, or of any kind. */
export type RulesOf<K extends EntryKind = EntryKind> = EntryKindRules<EntryPlan<K>, FactOf<K>, KindTypes[K]['data']>;

const KINDS: { readonly [K in EntryKind]: RulesOf<K> } = {
  tool: TOOL_RULES,
  resource: RESOURCE_RULES,
  'resource-template': TEMPLATE_RULES,
  prompt: PROMPT_RULES,
};

/** The rules of every kind, in the order of problems and announcements. */
export const ALL_KINDS: readonly RulesOf[] = Object.values(KINDS);

/** The facts of decorators that make a method an entry. Kinds may share a decorator. */
export const ENTRY_FACTS: ReadonlySet<RulesOf['facts']> = new Set(ALL_KINDS.map(({ facts }) => facts));

/** The rules for a plan or an entry. */
export function rulesOf<K extends EntryKind>({ kind }: { readonly kind: K }): RulesOf<K> {
  return KINDS[kind];
}

/** The rules of the kind that a fact describes. */
export function rulesOfFact(facts: RulesOf['facts'], fact: FactOf): RulesOf {
  // Where kinds share a decorator, one of them always fits.
  return ALL_KINDS.find((rules) => rules.facts === facts && (rules.fits?.(fact) ?? true)) as RulesOf;
}

/** The arguments of an entry that can be completed. */
export function argumentNames(plan: EntryPlan): readonly string[] {
  return rulesOf(plan).argumentNames?.(plan) ?? [];
}
