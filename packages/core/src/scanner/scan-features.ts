/** Classes, and entries described by data -> plans: the scanner interprets the facts that decorators wrote. */
import type { Constructor } from '../container/provider';
import { factsByMember, type FactKind } from '@sigil-mcp/base/facts';
import { PROMPT } from '../decorators/prompt';
import { RESOURCE } from '../decorators/resource';
import { TOOL } from '../decorators/tool';
import { problem } from '../errors/catalogue';
import type { ReportProblem } from '@sigil-mcp/base';
import { checkExtended } from './check-facts';
import { checkFeature } from './check-feature';
import { checkOptions } from './check-members';
import type { EntryData, FeatureSource } from './entry-data';
import type { FlatModule } from './flatten-modules';
import { membersOfFeature, type Member, type Scan } from './member';
import type { CompleterPlan, EntryPlan } from './plan';
import { placeOf, planData } from './plan-data';
import { checkCompleters, scanCompleters } from './scan-completers';
import { scanLists } from './scan-lists';
import { scanPrompt } from './scan-prompt';
import { scanResource, type TemplateCompanions } from './scan-resource';
import { scanTool } from './scan-tool';

/** The facts of a decorator, and what it makes of a method. */
interface EntryKind<F> {
  readonly name: EntryData['kind'];
  readonly facts: FactKind<F>;
}

/** Scans all features: reports every problem, and returns the plans of the entries that have none. */
export function scanFeatures(
  features: readonly FeatureSource[],
  scan: Scan,
  modules: readonly FlatModule[] = [],
): EntryPlan[] {
  const inModules = modules.flatMap((module) => scanEach(module.features, { ...scan, module: module.surroundings }));
  const plans = [...scanEach(features, scan), ...inModules];
  reportDoubles(plans, scan.report);
  return plans;
}

function scanEach(features: readonly FeatureSource[], scan: Scan): EntryPlan[] {
  return [...new Set(features)].flatMap((feature) =>
    typeof feature === 'function' ? scanFeature(feature, scan) : scanEntry(feature, scan),
  );
}

function scanFeature(feature: Constructor, scan: Scan): EntryPlan[] {
  if (!checkFeature(feature, scan.report)) return [];
  const completers = scanCompleters(feature, scan);
  const completersOf = ({ name }: Member): CompleterPlan[] => completers.filter(({ target }) => target === name);
  const lists = scanLists(feature, scan);
  const companionsOf = (member: Member): TemplateCompanions => ({
    completers: completersOf(member),
    list: lists.get(member.name),
  });
  const plans = [
    ...scanMembers(feature, { name: 'tool', facts: TOOL }, scan, scanTool),
    ...scanMembers(feature, { name: 'resource', facts: RESOURCE }, scan, (member, fact) =>
      scanResource(member, fact, companionsOf(member)),
    ),
    ...scanMembers(feature, { name: 'prompt', facts: PROMPT }, scan, (member, fact) =>
      scanPrompt(member, fact, completersOf(member)),
    ),
  ];
  checkCompleters(completers, plans);
  return plans.filter((plan) => checkExtended(plan, whereOf(plan), scan));
}

function scanEntry(data: EntryData, scan: Scan): EntryPlan[] {
  const plan = planData(data, scan, placeOf(data));
  return plan ? [plan] : [];
}

function scanMembers<F extends { readonly options: unknown }, P extends EntryPlan>(
  feature: Constructor,
  kind: EntryKind<F>,
  scan: Scan,
  scanMember: (member: Member, fact: F) => P | undefined,
): EntryPlan[] {
  const all = factsByMember(kind.facts, feature);
  if (all.size === 0) return [];
  const memberNamed = membersOfFeature(feature, scan);
  const plans: EntryPlan[] = [];
  for (const [name, facts] of all) {
    for (const fact of facts) {
      const member = memberNamed(name);
      const plan = checkOptions(member, kind.name, fact.options) ? scanMember(member, fact) : undefined;
      if (plan) plans.push(plan);
    }
  }
  return plans;
}

function reportDoubles(plans: readonly EntryPlan[], report: ReportProblem): void {
  const first = new Map<string, EntryPlan>();
  for (const plan of plans) {
    const name = `${plan.kind} ${JSON.stringify(plan.key)}`;
    const other = first.get(name);
    if (!other) first.set(name, plan);
    else report(problem('SIGIL_DUPLICATE_ENTRY', whereOf(plan), { entry: name, other: whereOf(other) }));
  }
}

/** Where an entry is written down: its class and method, or the function that made it, and its module. */
export function whereOf({ source, data }: EntryPlan): string {
  const place = data ? placeOf(data) : `${source.feature?.name}.${source.member}`;
  return source.module === undefined ? place : `${place} (${source.module})`;
}
