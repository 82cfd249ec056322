/** What a server offers: plans until it starts, compiled entries from then on, and what is needed to change either. */
import type { ServerCapabilities } from '@sigil-mcp/protocol';
import type { Constructor } from '../container/provider';
import { problem } from '../errors/catalogue';
import { DefinitionError, type DefinitionProblem, type ReportProblem } from '@sigil-mcp/base';
import { compileEntry } from '../pipeline/compile-entry';
import type { Entry } from '../registry/entry';
import { isEntryData, rulesOf, type EntryChanges, type EntryData, type EntryPlan } from '../kinds/all-kinds';
import type { EntryKind } from '../context/entry-facts';
import type { Registry } from '../registry/registry';
import type { Scan } from '../members/member';
import { describedPlan, PlannedEntries } from '../scanner/planned-entries';
import { planData, describePlace, planChanges } from '../scanner/plan-data';
import { checkAliases, scanFeatures, whereOf } from '../scanner/scan-features';
import type { ServerObjects } from '../pipeline/server-objects';

/** The key of an entry. */
export interface EntryName {
  readonly kind: EntryKind;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
}

/** What the entries of a server are made with. */
export interface ServerEntriesInit {
  readonly plans: readonly EntryPlan[];
  /** What the scanner needs for entries that are added or changed later. */
  readonly scan: Omit<Scan, 'report'>;
  readonly instances: ServerObjects;
  readonly registry: Registry;
  /** What the server advertises for the entries that the registry has; called once, when they are compiled. */
  readonly capabilities: () => ServerCapabilities;
}

/** An entry as it was defined last. Its changes are all since it was first defined: a later one adds to them. */
interface Defined {
  readonly plan: EntryPlan;
  readonly changes: EntryChanges;
  readonly enabled: boolean;
}

/** Keeps the definitions of all entries and the registry in step. */
export class ServerEntries {
  readonly #defined = new Map<string, Defined>();
  readonly #planned = new PlannedEntries(
    () => this.#enabled(),
    () => [...this.#defined.values()].map(({ plan }) => plan),
  );
  #advertised: ServerCapabilities | undefined;
  #adding: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Whether a tool has, or had, an old name. */
  #hasAliases = false;
  /** Whether a transport serves a network without knowing who calls. */
  #servesAnybody = false;

  constructor(private readonly made: ServerEntriesInit) {
    for (const plan of made.plans) this.#define({ plan, changes: {}, enabled: true });
  }

  /**
   * Compiles all entries into the registry, once the container has built their classes.
   * @returns the capabilities that the server advertises from now on, regardless of later changes
   */
  open(): ServerCapabilities {
    const { registry, instances, scan, capabilities } = this.made;
    for (const { plan, enabled } of this.#defined.values()) {
      registry.add(compileEntry(this.#described(plan), instances));
      if (!enabled) registry.setEnabled(plan.kind, plan.key, false);
    }
    scan.shapes.tellVague();
    return (this.#advertised = capabilities());
  }

  /** Refuses, from now on, what wants to know who calls. Throws a `DefinitionError` with all that does already. */
  serveAnybody(): void {
    const problems: DefinitionProblem[] = [];
    for (const { plan } of this.#defined.values())
      checkPolicy(plan, whereOf(plan), (problem) => void problems.push(problem));
    if (problems.length > 0) throw new DefinitionError(problems);
    this.#servesAnybody = true;
  }

  /** The enabled entries of a kind, in the order of their lists; empty before the start. */
  entries<K extends EntryKind>(kind: K): Iterable<Entry<K>> {
    return this.made.registry.entries(kind);
  }

  /** Adds the entry, or reports its problems. */
  add(data: EntryData, report: ReportProblem): void {
    // A copy, because the caller may go on with its own.
    const own = isEntryData(data) ? { ...data } : data;
    const plan = planData(own, { ...this.made.scan, report }, `registry.add(${describePlace(data)})`);
    if (plan && this.#isWelcome(plan, report)) this.#add(plan, report);
  }

  /**
   * Builds the class and adds all of its entries, or reports their problems: one feature after the other, because the container forgets all that
   * is not started yet if one cannot be built.
   */
  addFeature(feature: Constructor, report: ReportProblem): Promise<void> {
    const added = this.#adding.then(() => this.#addFeature(feature, report));
    this.#adding = added.catch(() => undefined);
    return added;
  }

  /** Takes no feature any more; resolves when the one that is being added is done. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#adding;
  }

  async #addFeature(feature: Constructor, report: ReportProblem): Promise<void> {
    if (this.#isClosed) return report(problem('SIGIL_REGISTRY_CLOSED', `registry.add(${feature.name})`));
    const problems: DefinitionProblem[] = [];
    const collect: ReportProblem = (problem) => void problems.push(problem);
    const plans = scanFeatures([feature], { ...this.made.scan, report: collect });
    for (const plan of plans) this.#isWelcome(plan, collect);
    this.made.instances.prepare(feature, plans, collect);
    if (problems.length > 0) return problems.forEach(report);
    if (this.#advertised) await this.made.instances.build();
    // While its providers were built, another entry may have taken a name.
    if (plans.filter((plan) => !this.#isWelcome(plan, report)).length > 0) return;
    for (const plan of plans) this.#add(plan, report);
  }

  /** Changes the entry, or reports the problems and leaves it unchanged. */
  update(kind: EntryKind, key: string, changes: EntryChanges, report: ReportProblem): void {
    const before = this.#get('update', kind, key, report);
    if (!before) return;
    const all = { ...before.changes, ...withoutUndefined(changes) };
    const plan = planChanges(before.plan, all, { ...this.made.scan, report });
    if (!plan || !this.#hasOwnNames(plan, report)) return;
    if (this.#servesAnybody && !checkPolicy(plan, `registry.update(${JSON.stringify(key)})`, report)) return;
    const compiled = this.#compile(plan, report);
    if (compiled === 'broken') return;
    this.#define({ ...before, plan, changes: all });
    if (compiled) this.made.registry.replace(compiled);
  }

  /** Enables or disables an entry, or reports that it does not exist; returns whether that changed anything. */
  setEnabled(kind: EntryKind, key: string, enabled: boolean, report: ReportProblem): boolean {
    const before = this.#get(enabled ? 'enable' : 'disable', kind, key, report);
    if (!before || before.enabled === enabled) return false;
    this.#define({ ...before, enabled });
    if (this.#advertised) this.made.registry.setEnabled(kind, key, enabled);
    return true;
  }

  /** Removes an entry; returns whether it existed. */
  remove(kind: EntryKind, key: string): boolean {
    if (this.#advertised) this.made.registry.remove(kind, key);
    return this.#defined.delete(nameOf(kind, key));
  }

  /** The entries of a class, disabled ones included. */
  keysOf(feature: Constructor): readonly EntryName[] {
    const plans = [...this.#defined.values()].map(({ plan }) => plan);
    return plans.filter(({ source }) => source.feature === feature).map(({ kind, key }) => ({ kind, key }));
  }

  #add(plan: EntryPlan, report: ReportProblem): void {
    const compiled = this.#compile(plan, report);
    if (compiled === 'broken') return;
    this.#define({ plan, changes: {}, enabled: true });
    if (compiled) this.made.registry.add(compiled);
  }

  /** Compiles an entry; undefined before the start. A guard or interceptor that was not built is reported: `'broken'`. */
  #compile(plan: EntryPlan, report: ReportProblem): Entry | undefined | 'broken' {
    if (!this.#advertised) return undefined;
    try {
      return compileEntry(this.#described(plan), this.made.instances);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      report(problem('SIGIL_ENTRY_NOT_BUILT', `registry.add(${JSON.stringify(plan.key)})`, { reason }));
      return 'broken';
    }
  }

  /** The enabled entries as they are listed, in the order of their lists. */
  plans(): readonly EntryPlan[] {
    return [...this.#enabled()].map((plan) => this.#described(plan));
  }

  #described(plan: EntryPlan): EntryPlan {
    const { extensions } = this.made.scan;
    return extensions.length === 0 ? plan : describedPlan(plan, extensions, this.#planned);
  }

  *#enabled(): Iterable<EntryPlan> {
    for (const { plan, enabled } of this.#defined.values()) if (enabled) yield plan;
  }

  /** Whether an entry can be added: its name is free, and clients know that there may be such entries. Reports why not. */
  #isWelcome(plan: EntryPlan, report: ReportProblem): boolean {
    const { kind, key } = plan;
    const where = `registry.add(${JSON.stringify(key)})`;
    const { capability } = rulesOf(plan);
    const other = this.#defined.get(nameOf(kind, key))?.plan;
    if (other) {
      const values = { entry: `${kind} ${JSON.stringify(key)}`, other: whereOf(other) };
      report(problem('SIGIL_ENTRY_NAME_TAKEN', plan.data ? where : whereOf(plan), values));
      return false;
    }
    if (!this.#hasOwnNames(plan, report)) return false;
    if (this.#servesAnybody && !checkPolicy(plan, where, report)) return false;
    if (!this.#advertised || this.#advertised[capability]) return true;
    report(problem('SIGIL_CAPABILITY_NOT_ADVERTISED', where, { capability }));
    return false;
  }

  /** Whether neither its name nor its old names are those of another tool; reports which are. */
  #hasOwnNames(plan: EntryPlan, report: ReportProblem): boolean {
    if (!this.#hasAliases && !plan.versions) return true;
    const others = [...this.#defined.values()].map((defined) => defined.plan);
    return checkAliases(
      [...others.filter((other) => nameOf(other.kind, other.key) !== nameOf(plan.kind, plan.key)), plan],
      report,
    );
  }

  #get(verb: string, kind: EntryKind, key: string, report: ReportProblem): Defined | undefined {
    const defined = this.#defined.get(nameOf(kind, key));
    if (!defined) report(problem('SIGIL_UNKNOWN_ENTRY', `registry.${verb}(${JSON.stringify(key)})`, { kind }));
    return defined;
  }

  /** Stores a definition: it replaces an earlier one of the same name, or is added at the end. */
  #define(defined: Defined): void {
    const { plan } = defined;
    if (plan.versions) this.#hasAliases = true;
    this.#defined.set(nameOf(plan.kind, plan.key), defined);
  }
}

/** Whether an entry wants nothing that depends on who calls; reports what it wants. */
function checkPolicy(plan: EntryPlan, where: string, report: ReportProblem): boolean {
  const { scopes, isPublic } = plan.policy;
  if (scopes.length === 0 && !isPublic) return true;
  const wants = isPublic ? 'is public' : `wants the scopes ${scopes.join(' ')}`;
  report(problem('SIGIL_POLICY_WITHOUT_AUTH', plan.data ? where : whereOf(plan), { wants }));
  return false;
}

/** The changes that say something: a member that is undefined counts as left out. */
function withoutUndefined(changes: EntryChanges): EntryChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function nameOf(kind: EntryKind, key: string): string {
  return `${kind} ${key}`;
}
