/** A plan and its instances -> an entry of the registry. */
import { andThen } from '@sigil-mcp/base';
import type { CacheHints } from '@sigil-mcp/protocol';
import type { Guard } from '../context/call';
import type { Caller } from '../context/caller';
import type { Definitions, EntryFacts, EntryKind, EntryPolicy } from '../context/entry-facts';
import type { McpContext } from '../context/mcp-context';
import { RolesGuard } from '../guards/roles';
import type { EntryPlan } from '../kinds/all-kinds';
import type { TemplatePlan } from '../kinds/resource';
import type { Concurrency } from '../limits/client-turns';
import { FacedShapes } from '../members/entry-shapes';
import type { CompleterPlan, ListPlan, ToolVersions } from '../members/member';
import type { MirroredArgument } from '../mirrored-arguments/mirrored-arguments';
import type { Completer, Entry, TemplateList } from '../registry/entry';
import { readListed } from '../registry/listed-resource';
import type { UriTemplate } from '../registry/uri-templates/parse-uri-template';
import { argumentsCheck, compileCall, type ResolvedCall } from './compile-call';
import type { HandlerRunner, HandlerToRun } from './handler-runner';
import type { ServerObjects } from './server-objects';
import type * as Aliases from './with-aliases';

/** The parts of plans that only some kinds have. An entry has all of them, so that calls and lists handle every kind in the same way. */
interface OwnParts {
  readonly timeout?: number | undefined;
  readonly concurrency?: Concurrency | undefined;
  readonly mirrored?: readonly MirroredArgument[];
  readonly completers?: readonly CompleterPlan[];
  readonly template?: UriTemplate;
  readonly list?: ListPlan | undefined;
  readonly cache?: CacheHints | undefined;
  readonly isUnlisted?: boolean;
  readonly versions?: ToolVersions | undefined;
}

/** Compiles one entry. Throws if a class that its plan names was not built. */
export function compileEntry(plan: EntryPlan, instances: ServerObjects): Entry {
  const { timeout, concurrency, mirrored = [], completers = [], template }: OwnParts = plan;
  const { cache, isUnlisted = false, versions }: OwnParts = plan;
  const own = [...instances.serverGuards, ...plan.guards.map((guard) => instances.guard(guard))];
  const face = faceOf(plan, own);
  const guards = instances.runner ? withGuardOf(instances.runner, { plan, face, own }) : own;
  const stages = instances.stages(face);
  const entry: Entry = {
    ...face,
    face,
    guards,
    hasStages: stages.length > 0,
    invoke: compileCall({
      guards,
      scopes: plan.policy.scopes,
      stages,
      mirrored,
      input: plan.input,
      timeout,
      concurrency,
      interceptors: plan.interceptors.map((interceptor) => instances.interceptor(interceptor)),
      isTimed: instances.isTimed,
      handler: handlerOf(plan, face, instances),
      parameters: plan.parameters,
      shapeOutput: plan.shapeOutput,
    }),
    completers: new Map(
      completers.map((completer) => [completer.argument, compileCompleter(completer, face, instances)]),
    ),
    template,
    list: 'list' in plan ? compileList(plan, face, instances) : undefined,
    cache,
    isUnlisted,
    input: plan.input?.schema,
    // Only stages check arguments before the call does.
    checkArguments: stages.length > 0 && plan.input ? argumentsCheck(plan.input) : undefined,
    asks: plan.asks.map(({ schema }) => schema),
    mirrored,
  };
  return versions ? loadAliases().withAliases(entry, versions.aliases) : entry;
}

/** Loads what only entries need that have old names. */
function loadAliases(): typeof Aliases {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it for everybody
  return require('./with-aliases') as typeof Aliases;
}

/** The guards of an entry, and that of the runner, which is the last one, and no part of what others see of the entry. */
function withGuardOf(
  runner: HandlerRunner,
  { plan, face, own }: { readonly plan: EntryPlan; readonly face: EntryFacts; readonly own: readonly Guard[] },
): readonly Guard[] {
  const around = runner.guard?.(handlerToRun(plan, face));
  return around ? [...own, around] : own;
}

function faceOf(plan: EntryPlan, guards: readonly Guard[]): EntryFacts {
  return Object.freeze({
    kind: plan.kind,
    key: plan.key,
    definition: withSecuritySchemes(plan.definition, plan.policy),
    source: plan.source,
    policy: { ...plan.policy, roles: rolesOf(guards) },
    shapes: new FacedShapes(plan.input, plan.output),
    facts: plan.facts,
  });
}

function rolesOf(guards: readonly Guard[]): readonly (readonly string[])[] {
  return guards.flatMap((guard) => (guard instanceof RolesGuard ? [guard.roles] : []));
}

function handlerOf(plan: EntryPlan, entry: EntryFacts, instances: ServerObjects): ResolvedCall['handler'] {
  if (!instances.runner) return instances.handler(plan.handler);
  return { run: instances.runner.handler(handlerToRun(plan, entry)) };
}

function handlerToRun({ handler, parameters }: EntryPlan, entry: EntryFacts): HandlerToRun {
  return { handler, entry, parameters };
}

function compileCompleter(
  { handler, parameters }: CompleterPlan,
  entry: EntryFacts,
  instances: ServerObjects,
): Completer {
  if (instances.runner) {
    const run = instances.runner.companion({ handler, entry, parameters });
    return (prefix, { context }) =>
      run(
        context,
        parameters.map((source) => completedWith(source, prefix, context)),
      );
  }
  const complete = instances.handler(handler);
  return (prefix, call) => complete(...parameters.map((source) => completedWith(source, prefix, call.context)));
}

function completedWith(source: CompleterPlan['parameters'][number], prefix: string, context: McpContext): unknown {
  if (source === 'nothing') return undefined;
  return source === 'prefix' ? prefix : partOf(context, source);
}

function compileList(
  { list, template, definition }: TemplatePlan,
  entry: EntryFacts,
  instances: ServerObjects,
): TemplateList | undefined {
  if (!list) return undefined;
  const { handler, parameters } = list;
  const run = listerOf(list, entry, instances);
  const isPaged = parameters.includes('page');
  return {
    origin: 'run' in handler ? handler.run : handler,
    isPaged,
    resources: (context, page) => {
      const listed = run(
        context,
        parameters.map((source) => (source === 'page' ? page : partOf(context, source))),
      );
      return andThen(listed, (value) => readListed(value, definition, template, isPaged));
    },
  };
}

function listerOf(
  { handler, parameters }: ListPlan,
  entry: EntryFacts,
  instances: ServerObjects,
): (context: McpContext, values: readonly unknown[]) => unknown {
  if (instances.runner) return instances.runner.companion({ handler, entry, parameters });
  const list = instances.handler(handler);
  return (_context, values) => list(...values);
}

function partOf(context: McpContext, source: 'context' | 'caller'): McpContext | Caller {
  return source === 'caller' ? context.caller : context;
}

// The requirements of an entry for its callers -> its listed definition, so that clients know them before they call.

/**
 * Adds `securitySchemes` to the `_meta` of a definition, with the OpenAPI names that clients know: `noauth` for public entries, `oauth2`
 * with the required scopes for others. Schemes that the author wrote stay, and an entry without requirements is unchanged.
 * @see https://developers.openai.com/apps-sdk/build/auth
 */
export function withSecuritySchemes<K extends EntryKind>(
  definition: Definitions[K],
  { scopes, isPublic }: Pick<EntryPolicy, 'scopes' | 'isPublic'>,
): Definitions[K] {
  if (scopes.length === 0 && !isPublic) return definition;
  const scheme = isPublic ? { type: 'noauth' } : { type: 'oauth2', scopes };
  return { ...definition, _meta: { securitySchemes: [scheme], ...definition._meta } };
}
