/** The plans of a server -> everything that it offers, as data. Nothing is built or started for it. */
import type { Implementation, JsonObject, ResultOf, Revision, ServedRevisions } from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/base';
import { NO_INPUT } from '@sigil-mcp/schema';
import { EXAMPLES } from '../decorators/example';
import type { Extension } from '../extensions/extension';
import type { GuardReference } from '../decorators/create-fact';
import { RateGuard } from '../guards/rate-limit';
import { RolesGuard } from '../guards/roles';
import { ALL_KINDS, type EntryPlan } from '../kinds/all-kinds';
import type { Concurrency } from '../limits/client-turns';
import type { ToolVersions } from '../members/member';
import type { ListMethod } from '../kinds/entry-kind-rules';
import { withSecuritySchemes } from '../pipeline/compile-entry';
import type {
  EntryAccess,
  DescribedEntry,
  LimitsOfEntry,
  EntryPlace,
  DescribedServer,
  DescribedAudience,
  DescribedKey,
} from './server-description';
import type { EntryPolicy } from '../context/entry-facts';

type AccessVerdict = Pick<DescribedEntry, 'kind' | 'key' | 'access' | 'isUnlisted'>;

/** The rights of one kind of callers. */
type Rights = Pick<DescribedAudience, 'hasToken' | 'scopes' | 'roles'>;

const NO_RIGHTS: Rights = { hasToken: true, scopes: [], roles: [] };

/** What is described. */
export interface DescriptionInit {
  readonly server: Implementation;
  readonly instructions: string | undefined;
  readonly revisions: ServedRevisions;
  readonly extensions: readonly Extension<object>[];
  /** Guards of the server, before those of entries. */
  readonly guards: readonly GuardReference[];
  /** Bytes of heap that its limits may need. */
  readonly memory: number;
  /** The enabled entries, with what extensions say about them. */
  readonly plans: readonly EntryPlan[];
}

/** Describes a server. */
export function describeServer(made: DescriptionInit): DescribedServer {
  const revisions = [...made.revisions.perRequest, ...made.revisions.handshake].sort(byVersion);
  const plans = ALL_KINDS.flatMap(({ kind }) => made.plans.filter((plan) => plan.kind === kind));
  const wires = revisions.map((revision) => ({ revision, items: listedBy(revision, plans, made.server) }));
  const entries = plans.map((plan) =>
    describeEntry(plan, made, {
      wire: Object.fromEntries(wires.map(({ revision, items }) => [revision.version, items.get(plan) ?? {}])),
    }),
  );
  return {
    server: made.server,
    ...(made.instructions !== undefined && { instructions: made.instructions }),
    revisions: revisions.map(({ version }) => version),
    extensions: made.extensions.map(({ name }) => name),
    entries,
    audiences: audiencesOf(entries),
    memory: Number.isFinite(made.memory) ? made.memory : null,
  };
}

function byVersion(one: Revision, other: Revision): number {
  return one.version < other.version ? 1 : -1;
}

/** Each plan as the list of its kind has it. */
function listedBy(revision: Revision, plans: readonly EntryPlan[], server: Implementation): Map<EntryPlan, JsonObject> {
  const writer = revision.writerFor(server);
  const items = new Map<EntryPlan, JsonObject>();
  for (const { kind, listMethod, listMember } of ALL_KINDS) {
    const own = plans.filter((plan) => plan.kind === kind);
    const definitions = own.map(({ definition, policy }) => withSecuritySchemes(definition, policy));
    // The member is that of the method.
    const result = { [listMember]: definitions } as unknown as ResultOf<ListMethod>;
    const written = writer.writeResult(listMethod, result)[listMember];
    // A list is written item by item, in the same order.
    for (const [index, plan] of own.entries()) items.set(plan, (written as readonly JsonObject[])[index] ?? {});
  }
  return items;
}

/** The parts of plans that only some kinds have. */
interface DescriptionParts {
  readonly timeout?: number | undefined;
  readonly concurrency?: Concurrency | undefined;
  readonly completers?: readonly { readonly argument: string }[];
  readonly cache?: DescribedEntry['cache'] | undefined;
  readonly isUnlisted?: boolean;
  readonly versions?: ToolVersions | undefined;
}

function describeEntry(
  plan: EntryPlan,
  server: Pick<DescriptionInit, 'guards' | 'extensions'>,
  written: Pick<DescribedEntry, 'wire'>,
): DescribedEntry {
  const { timeout, concurrency, completers = [], cache, isUnlisted = false, versions }: DescriptionParts = plan;
  const guards = [...server.guards, ...plan.guards];
  const examples = EXAMPLES.allOf(plan);
  const rates = guards.flatMap((guard) => (guard instanceof RateGuard ? [guard.rate] : []));
  const limits: LimitsOfEntry = {
    ...(timeout !== undefined && { timeout }),
    ...(concurrency && { concurrency: concurrency.calls }),
    ...(concurrency &&
      concurrency.perClient !== Math.ceil(concurrency.calls / 2) && { concurrencyPerClient: concurrency.perClient }),
    ...(rates.length > 0 && { rates }),
  };
  return {
    kind: plan.kind,
    key: plan.key,
    ...written,
    ...inputOf(plan),
    asks: plan.asks.map(({ schema }) => schema),
    completes: completers.map(({ argument }) => argument),
    access: accessOf(plan, guards),
    limits,
    ...(cache && { cache }),
    isUnlisted,
    options: optionsOf(plan, server.extensions),
    source: placeOf(plan),
    ...(examples.length > 0 && { examples }),
    ...(versions && describeVersions(versions)),
  };
}

function describeVersions({
  aliases,
  ...said
}: ToolVersions): Pick<DescribedEntry, 'since' | 'deprecated' | 'replaces'> {
  if (aliases.length === 0) return said;
  return {
    ...said,
    replaces: aliases.map(({ name, convert }) => ({ name, convertsArguments: convert !== undefined })),
  };
}

/** Left out without arguments, and where the list has the same schema. */
function inputOf({ input, definition }: EntryPlan): Pick<DescribedEntry, 'input'> {
  if (input === undefined || input === NO_INPUT) return {};
  return Object.values(definition).includes(input.schema) ? {} : { input: input.schema };
}

function accessOf({ policy }: EntryPlan, guards: readonly GuardReference[]): EntryAccess {
  const others = guards.filter((guard) => !(guard instanceof RolesGuard || guard instanceof RateGuard));
  return {
    ...policy,
    roles: guards.flatMap((guard) => (guard instanceof RolesGuard ? [guard.roles] : [])),
    guards: others.map(nameOfGuard),
  };
}

function nameOfGuard(guard: GuardReference): string {
  const { name } = typeof guard === 'function' ? guard : guard.constructor;
  return name === '' || name === 'Object' ? 'a guard' : name;
}

/** The options of extensions that an entry has, without those that JSON cannot have. */
function optionsOf(plan: EntryPlan, extensions: readonly Extension<object>[]): Readonly<Record<string, unknown>> {
  const options = extensions.flatMap(({ options: own = [] }) => own);
  const values = options.map(({ name, fact }) => [name, plainOf(fact.of(plan))] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The part of a value that JSON can have; undefined for nothing. */
function plainOf(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value, (_, part: unknown) => (isPlain(part) ? part : undefined));
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    // A value that refers to itself.
    return undefined;
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return false;
  return (
    !isObject(value) || Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as null)
  );
}

function placeOf({ source: { feature, member, module } }: EntryPlan): EntryPlace {
  return {
    ...(feature && { feature: feature.name }),
    ...(member !== undefined && { member }),
    ...(module !== undefined && { module }),
  };
}

/** The audiences of entries: without a token, without rights, for each set of rights that an entry wants, and with all rights. */
function audiencesOf(entries: readonly AccessVerdict[]): readonly DescribedAudience[] {
  const policies = entries.map(({ access }) => access);
  const isOpen = policies.every(({ scopes, roles, isPublic }) => scopes.length + roles.length === 0 && !isPublic);
  if (isOpen) return [audienceOf('everybody', { hasToken: false, scopes: [], roles: [] }, entries, () => true)];
  const wanted = new Map(policies.map((policy) => [nameOf(rightsFor(policy)), rightsFor(policy)]));
  wanted.delete(nameOf(NO_RIGHTS));
  const all = {
    hasToken: true,
    scopes: distinct(policies.flatMap(({ scopes }) => scopes)),
    roles: distinct(policies.flatMap(({ roles }) => roles.flat())),
  };
  wanted.delete(nameOf(all));
  const sets = [...wanted.values()].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return [
    audienceOf('without a token', { ...NO_RIGHTS, hasToken: false }, entries),
    audienceOf('with a token', NO_RIGHTS, entries),
    ...[...sets, all].map((rights) => audienceOf(nameOf(rights), rights, entries)),
  ];
}

/** The least rights with which an entry can be used: of several roles that would do, the first. */
function rightsFor({ scopes, roles }: EntryPolicy): Rights {
  return { hasToken: true, scopes: distinct(scopes), roles: distinct(roles.flatMap(([first]) => first ?? [])) };
}

function nameOf({ scopes, roles }: Rights): string {
  const words = roles.length === 0 ? [] : [`${roles.length === 1 ? 'role' : 'roles'} ${roles.join(' ')}`];
  return [...(scopes.length === 0 ? [] : [scopes.join(' ')]), ...words].join(', ') || 'with a token';
}

function audienceOf(
  name: string,
  rights: Rights,
  entries: readonly AccessVerdict[],
  mayUse = (entry: AccessVerdict): boolean => isUsable(entry.access, rights),
): DescribedAudience {
  const uses = entries.filter(mayUse);
  const sees = entries.filter((entry) => !entry.isUnlisted && (mayUse(entry) || isSeen(entry.access, rights)));
  return { name, ...rights, sees: sees.map(keyOf), uses: uses.map(keyOf) };
}

function isUsable(policy: EntryPolicy, rights: Rights): boolean {
  if (!rights.hasToken) return policy.isPublic && policy.roles.length === 0;
  return policy.scopes.every((scope) => rights.scopes.includes(scope)) && hasRoles(policy, rights);
}

/** Whether a caller who lacks scopes is shown an entry anyway. */
function isSeen(policy: EntryPolicy, rights: Rights): boolean {
  return rights.hasToken && policy.isListed && hasRoles(policy, rights);
}

function hasRoles({ roles }: EntryPolicy, rights: Rights): boolean {
  return roles.every((group) => group.some((role) => rights.roles.includes(role)));
}

function keyOf({ kind, key }: AccessVerdict): DescribedKey {
  return { kind, key };
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
