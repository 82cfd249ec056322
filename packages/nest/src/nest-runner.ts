/** Calls the handlers of a server on the instances of Nest, inside of what Nest runs around them. */
import type {
  Constructor,
  Container,
  Guard,
  HandlerCall,
  HandlerRunner,
  HandlerToRun,
  McpContext,
} from '@sigil-mcp/core';
import type { CallContexts, McpRequest } from './call-contexts';
import { askGuards, enhance } from './enhanced-handler';
import { NestGuard, type GuardsOfHandler } from './entry-guard';
import { nestError } from './errors';
import { argumentsOf, withoutCall } from './execution-context';
import type { FeatureHost } from './feature-hosts';
import { EntryFunctions, methodOf, nameOf, standIn, type HostedHandler, type NestAround } from './hosted-handler';
import { describeParameters, suppliedBy } from './method-parameters';
import { hasGuards, namedEnhancers } from './nest-metadata';
import { isRefusal, toldError } from './told-error';

type HandlerPlan = HandlerToRun['handler'];
/** What every instance of a handler has in common. */
type Named = Pick<HostedHandler, 'feature' | 'member' | 'run'>;
type Composed<T> = (context: McpContext) => T | Promise<T>;

/** What the runner works with. */
export interface RunnerParts extends NestAround {
  readonly hosts: ReadonlyMap<Constructor, FeatureHost>;
  /** Stands for what is no method of a provider: global enhancers are built for it. */
  readonly functions: FeatureHost;
  readonly contexts: CallContexts;
  /** Builds features that are no providers of Nest. */
  readonly container: Container;
}

/** The runner of one server. */
export class NestRunner implements HandlerRunner {
  readonly #guards = new WeakMap<object, Map<string, Guard>>();

  constructor(private readonly parts: RunnerParts) {}

  supplies(feature: Constructor, member: string): readonly number[] {
    return suppliedBy(feature, member);
  }

  guard({ handler }: HandlerToRun): Guard | undefined {
    const named = namedOf(handler, -1);
    this.#checkEnhancers(named);
    if (!this.#isGuarded(named)) return undefined;
    // The same for the same handler: an entry that is added again is then no other entry for lists.
    const known = this.#guards.get(named.run ?? named.feature) ?? new Map<string, Guard>();
    this.#guards.set(named.run ?? named.feature, known);
    const guard = known.get(named.member) ?? this.#guardOf(named);
    known.set(named.member, guard);
    return guard;
  }

  handler({ handler, entry, parameters }: HandlerToRun): (call: HandlerCall) => Promise<unknown> {
    const input = parameters.indexOf('input');
    const named = namedOf(handler, input);
    const described = describeParameters(named.feature, named.member, input);
    const choose = this.#chooser(named, (host) => enhance(this.parts, host));
    return async (handlerCall) => {
      const { call } = handlerCall;
      try {
        const run = await choose(call.context);
        return await run({
          args: argumentsOf(call, this.#requestOf(call.context)),
          readInput: () => handlerCall.readInput(),
          invoke: (method, instance, piped) => {
            const values = handlerCall.values();
            for (const index of described) values[index] = piped[index];
            return handlerCall.within(() => method.apply(instance, values));
          },
        });
      } catch (error) {
        throw toldError(error, entry.kind);
      }
    };
  }

  companion({
    handler,
    entry,
  }: HandlerToRun<'prefix' | 'context' | 'caller' | 'page'>): (
    context: McpContext,
    values: readonly unknown[],
  ) => Promise<unknown> {
    const named = namedOf(handler, -1);
    this.#checkEnhancers(named);
    const chooseGuards = this.#chooser(named, (host) => askGuards(this.parts, host, { isFiltered: true }));
    const choose = this.#chooser(named, (host) => enhance(this.parts, host));
    return async (context, values) => {
      const args = withoutCall(context, this.#requestOf(context), entry);
      try {
        const [ask, run] = [await chooseGuards(context), await choose(context)];
        await ask(args);
        return await run({
          args,
          readInput: () => undefined,
          invoke: (method, instance) => method.apply(instance, [...values]),
        });
      } catch (error) {
        // A caller who is refused receives no values, and nothing under the template.
        if (isRefusal(error)) return [];
        throw toldError(error, entry.kind);
      }
    };
  }

  #requestOf(context: McpContext): McpRequest {
    return this.parts.contexts.of(context).request;
  }

  #guardOf(named: Named): Guard {
    const askWith = (isFiltered: boolean): GuardsOfHandler['ofCall'] => {
      const choose = this.#chooser(named, (host) => askGuards(this.parts, host, { isFiltered }));
      return async (context, argumentsFor) => (await choose(context))(argumentsFor(this.#requestOf(context)));
    };
    return new NestGuard(nameOf(named), { ofCall: askWith(true), withoutCall: askWith(false) });
  }

  #isGuarded(named: Named): boolean {
    const { config } = this.parts;
    if (config.getGlobalGuards().length + config.getGlobalRequestGuards().length > 0) return true;
    return [named.feature, standOf(named)].some(hasGuards);
  }

  /**
   * Nest leaves out an enhancer that it has not built, in silence. It builds those that decorators name on providers, but not on what a provider
   * overrides or is no provider.
   */
  #checkEnhancers(named: Named): void {
    const host = this.parts.hosts.get(named.feature);
    const enhancers = [named.feature, standOf(named)].flatMap(namedEnhancers);
    const lost = enhancers.find(({ type }) => !host?.hasEnhancer(type));
    if (!lost) return;
    const values = { decorator: `${lost.decorator}(${lost.type.name})`, handler: nameOf(named) };
    throw nestError(host ? 'SIGIL_NEST_ENHANCER_OVERRIDDEN' : 'SIGIL_NEST_ENHANCER_UNBUILT', values);
  }

  /** Composes something for a call: the same for all calls if one instance serves them. */
  #chooser<T>(named: Named, compose: (host: HostedHandler) => T): Composed<T> {
    const { hosts, functions, contexts, container } = this.parts;
    const own = hosts.get(named.feature);
    const host = own ?? functions;
    const instanceOf = (built: object): object => (own || named.run ? built : (container.get(named.feature) as object));
    const composeOn = (built: object, contextId: HostedHandler['contextId']): T =>
      compose({ ...named, instance: instanceOf(built), contextId, hostId: host.id });
    const shared = once(() => composeOn(host.instance, undefined));
    return (context) => {
      if (host.isStatic) return shared();
      const { id } = contexts.of(context, host.isDurable);
      return host.resolve(id).then((built) => composeOn(built, id));
    };
  }
}

/** @param input the position of the input: functions with the same one are the same to Nest, which keeps their parameters by name */
function namedOf(handler: HandlerPlan, input: number): Named {
  if ('feature' in handler) return { ...handler, run: undefined };
  return { feature: EntryFunctions, member: `function ${input}`, run: handler.run };
}

/** The metadata of a handler, without an instance of its class. */
function standOf(named: Named): object {
  const method = methodOf({ ...named, instance: named.feature.prototype as object });
  return standIn(named, method, () => undefined);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
