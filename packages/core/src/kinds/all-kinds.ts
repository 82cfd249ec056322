/** The kinds of entries. To add one, add a file to this folder and a line to the table here, and its definition to `Definitions`. */
import { isObject, nameValue, type ReportProblem } from '@sigil-mcp/base';
import type { Resource } from '@sigil-mcp/protocol';
import type { Constructor } from '../container/provider';
import type { EntryKind } from '../context/entry-facts';
import type { PromptFact } from '../decorators/prompt';
import type { ResourceFact } from '../decorators/resource';
import type { ToolFact } from '../decorators/tool';
import { problem, wordsFor } from '../errors/catalogue';
import { checkPlaceholders } from '../members/check-placeholders';
import { compileForms, reportMember, type Member } from '../members/member';
import { scanParameters, type Parameters } from '../members/scan-parameters';
import { isAbsoluteUri } from '../values/normal-uri';
import { ResourceListing } from '../registry/resource-listing';
import type { EntryKindRules } from './entry-kind-rules';
import { PROMPT_RULES, type PromptData, type PromptPlan } from './prompt';
import {
  checkResourceWords,
  CONTENTS,
  describeResource,
  isTemplate,
  planContents,
  TEMPLATE_RULES,
  type ContentsPlan,
  type ResourceData,
  type TemplatePlan,
} from './resource';
import { TOOL_RULES, type ToolData, type ToolPlan } from './tool';

/** One resource to be. */
type ResourcePlan = ContentsPlan<'resource'>;

/** What is particular to resources that are no templates. */
const RESOURCE_RULES: EntryKindRules<ResourcePlan, ResourceFact, ResourceData> = {
  ...CONTENTS,
  kind: 'resource',
  fits: (described) => !isTemplate(described),
  checkData,
  scan: scanResource,
  listMethod: 'resources/list',
  listMember: 'resources',
  openList: ({ registry, cache, cursors, reportFailure }) =>
    new ResourceListing(registry, cache, cursors, reportFailure),
};

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

function checkData({ uri, list }: ResourceData, where: string, report: ReportProblem): boolean {
  if (typeof uri !== 'string') report(problem('SIGIL_RESOURCE_URI', where, { uri: nameValue(uri) }));
  else if (list) report(problem('SIGIL_LIST_WITHOUT_TEMPLATE', where, { uri: JSON.stringify(uri) }));
  return typeof uri === 'string' && !list;
}

function scanResource(member: Member, { uri, options }: ResourceFact): ResourcePlan | undefined {
  const parameters = scanParameters(member, options.input);
  const asks = compileForms(member, options.asks);
  const isInOrder = checkResource(member, uri, parameters);
  if (!checkResourceWords(member, options) || !asks || !isInOrder) return undefined;
  const definition: Resource = {
    uri,
    ...describeResource(member, options),
    ...(options.size !== undefined && { size: options.size }),
  };
  checkPlaceholders(member, definition);
  return {
    kind: 'resource',
    key: uri,
    definition,
    ...planContents(member, options, parameters),
    input: undefined,
    asks,
  };
}

function checkResource(member: Member, uri: string, { input, sources }: Parameters): boolean {
  if (!isAbsoluteUri(uri)) {
    reportMember(member, wordsFor('SIGIL_RESOURCE_URI', { uri: JSON.stringify(uri) }));
    return false;
  }
  if (input !== undefined || sources.includes('input')) {
    reportMember(member, wordsFor('SIGIL_RESOURCE_INPUT'));
    return false;
  }
  return true;
}

// Entries described by data: for tools that are known only at run time, and for authors who prefer functions to classes.

/** One entry, described by data. */
export type EntryData = ToolData | ResourceData | PromptData;

/** An element of a server's `features`: a class with `@Feature`, or one entry that is described by data. */
export type FeatureSource = Constructor | EntryData;

/** Whether a value names the kind of entry that it describes; its other members are checked when it is planned. */
export function isEntryData(value: unknown): value is EntryData {
  return isObject(value) && ALL_KINDS.some(({ dataKind }) => dataKind === value['kind']);
}

/** The rules of the kind that data describes. */
export function rulesOfData(data: EntryData): RulesOf {
  // Where kinds share their data, one of them always fits.
  return ALL_KINDS.find((rules) => rules.dataKind === data.kind && (rules.fits?.(data) ?? true)) as RulesOf;
}

// The members of an entry that may be changed while the server runs. Its name or URI stays, because clients know it by that.

/** A change of any kind of entry. */
export type EntryChanges = ToolChanges | ResourceChanges | PromptChanges;

/** What may be changed of a tool; what is left out stays as it is. */
export type ToolChanges = Partial<Omit<ToolData, 'kind' | 'name'>>;

/** What may be changed of a resource or a template; what is left out stays as it is. */
export type ResourceChanges = Partial<Omit<ResourceData, 'kind' | 'uri'>>;

/** What may be changed of a prompt; what is left out stays as it is. */
export type PromptChanges = Partial<Omit<PromptData, 'kind' | 'name'>>;

/** Kind of entry -> what may be changed of it. */
export interface ChangesOf {
  readonly tool: ToolChanges;
  readonly resource: ResourceChanges;
  readonly 'resource-template': ResourceChanges;
  readonly prompt: PromptChanges;
}

/** What the class of a decorated entry says; only an entry described by data can change it. */
const WRITTEN_IN_THE_CLASS = [
  'handler',
  'input',
  'output',
  'coerce',
  'guards',
  'interceptors',
  'facts',
  'scopes',
  'public',
  'list',
  'complete',
  'asks',
];

/** The names of those changes that an entry does not allow: its identity and, for a decorated one, what its class says. */
export function refusedChanges({ keyMember }: RulesOf, changes: EntryChanges, isDecorated: boolean): string[] {
  const refused = ['kind', keyMember, ...(isDecorated ? WRITTEN_IN_THE_CLASS : [])];
  return Object.keys(changes).filter((name) => refused.includes(name));
}
