/** Calls the handlers of a server on the instances of Nest, inside of what Nest runs around them. */
import { Logger } from '@nestjs/common';
import {
  type Constructor,
  type Container,
  type Guard,
  type HandlerCall,
  type HandlerRunner,
  type HandlerToRun,
  type McpContext,
  Denial,
  type Access,
  type Call,
  type EntryFacts,
  type Verdict,
} from '@sigil-mcp/core';
import type { CallContexts, McpRequest } from './call-contexts';
import { askGuards, enhance } from './enhanced-handler';
import { nestError } from './errors';
import { argumentsOf, withoutCall, type McpArguments } from './execution-context';
import type { FeatureHost } from './feature-hosts';
import {
  EntryFunctions,
  hostObject,
  methodOf,
  nameOf,
  standIn,
  type HostedHandler,
  type NestAround,
} from './hosted-handler';
import { describeParameters, suppliedBy } from './method-parameters';
import { hasGuards, namedEnhancers, namedPipes, pipesOf } from './nest-metadata';
import { unusedOptions } from './unused-pipe-options';
import { isRefusal, toldError, refusalOf } from './told-error';

/** Composes the arguments of guards for the request of a context. */
type ArgumentsFor = (request: McpRequest) => McpArguments;

/** Asks the guards of one handler. Rejects with what the first of them throws that refuses. */
interface GuardsOfHandler {
  /** Inside of the exception filters of the handler, which may throw another refusal instead. */
  ofCall(context: McpContext, argumentsFor: ArgumentsFor): Promise<unknown>;
  /** Without them. */
  withoutCall(context: McpContext, argumentsFor: ArgumentsFor): Promise<unknown>;
}

/** Made once for each handler. */
class NestGuard implements Guard {
  /** A guard of Nest may count, and finds the arguments in a call alone. */
  readonly asksCalls = 'instead';

  /** @param warn logs a sentence, once */
  constructor(
    private readonly guards: GuardsOfHandler,
    private readonly warn: (sentence: string) => void,
  ) {}

  async allows(access: Access, entry: EntryFacts): Promise<Verdict> {
    // All that asks is a request, whose context it is; programs that explain rights have the part that guards need.
    const context = access as McpContext;
    try {
      await this.guards.withoutCall(context, (request) => withoutCall(context, request, entry));
      return true;
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined) return new Denial(refusal);
      this.warn(failureOf(entry, error));
      return false;
    }
  }

  async allowsCall(call: Call): Promise<Verdict> {
    try {
      await this.guards.ofCall(call.context, (request) => argumentsOf(call, request));
      return true;
    } catch (error) {
      throw toldError(error, call.entry?.kind);
    }
  }
}

const CAUSES =
  ' Does it look at arguments? Without a call McpExecutionContext.getData() is an empty object, and getCall() undefined.' +
  " Does it set headers of a response? Then it belongs in endpointGuards, or returns true if context.getType() is 'mcp'.";

type NestHandler = HandlerToRun['handler'];
/** What every instance of a handler has in common. */
type Named = Pick<HostedHandler, 'feature' | 'member' | 'run'>;
type Composed<T> = (context: McpContext) => T | Promise<T>;

/** Different warnings of one server: messages of errors may be made of data. */
const MOST_WARNINGS = 100;
const log = new Logger('MCP');

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
  readonly #warned = new Set<string>();

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
  }: HandlerToRun<'prefix' | 'context' | 'caller' | 'page' | 'nothing'>): (
    context: McpContext,
    values: readonly unknown[],
  ) => Promise<unknown> {
    const named = namedOf(handler, -1);
    this.#checkEnhancers(named);
    describeParameters(named.feature, named.member, -1);
    const supplied = suppliedBy(named.feature, named.member);
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
          invoke: (method, instance, piped) => {
            const all = [...values];
            for (const index of supplied) all[index] = piped[index];
            return method.apply(instance, all);
          },
        });
      } catch (error) {
        // A caller who is refused receives no values, and nothing under the template.
        if (isRefusal(error)) return [];
        throw toldError(error, entry.kind);
      }
    };
  }

  /** A global guard fails for every entry in the same way. */
  readonly #warn = (sentence: string): void => {
    if (this.#warned.has(sentence) || this.#warned.size >= MOST_WARNINGS) return;
    this.#warned.add(sentence);
    log.warn(sentence);
  };

  #requestOf(context: McpContext): McpRequest {
    return this.parts.contexts.of(context).request;
  }

  #guardOf(named: Named): Guard {
    const askWith = (isFiltered: boolean): GuardsOfHandler['ofCall'] => {
      const choose = this.#chooser(named, (host) => askGuards(this.parts, host, { isFiltered }));
      return async (context, argumentsFor) => (await choose(context))(argumentsFor(this.#requestOf(context)));
    };
    return new NestGuard({ ofCall: askWith(true), withoutCall: askWith(false) }, this.#warn);
  }

  #isGuarded(named: Named): boolean {
    const { config, hosts } = this.parts;
    if (config.getGlobalGuards().length + config.getGlobalRequestGuards().length > 0) return true;
    const host = hosts.get(named.feature);
    // Its factory may return an instance of a guarded class, which is known in a call alone.
    if (host?.isSupplied && !host.isStatic) return true;
    return this.#decorated(named).some(hasGuards);
  }

  /** What has the decorators of a handler: the class of its instance, and the handler. */
  #decorated(named: Named, built?: object): readonly object[] {
    const host = this.parts.hosts.get(named.feature);
    const instance = built ?? (host?.isStatic ? host.instance : (named.feature.prototype as object));
    const decorated = { ...named, instance };
    return [hostObject(decorated).constructor, standIn(decorated, methodOf(decorated), () => undefined)];
  }

  /**
   * Nest leaves out an enhancer that it has not built, in silence. It builds those that decorators name on classes among the providers, but not
   * on what such a class overrides, on other classes, and for what a factory returns.
   */
  #checkEnhancers(named: Named, built?: object): void {
    const host = this.parts.hosts.get(named.feature);
    const decorated = this.#decorated(named, built);
    // At start only: a call does not look for what the log says anyway.
    if (!built) for (const sentence of unusedOptions(decorated.flatMap(pipesOf))) this.#warn(sentence);
    const enhancers = decorated.flatMap(namedEnhancers);
    const lost = [...enhancers, ...namedPipes(named.feature, named.member)].find(
      ({ type }) => !host?.hasEnhancer(type),
    );
    if (!lost) return;
    const values = { decorator: `${lost.decorator}(${lost.type.name})`, handler: nameOf(named) };
    if (!host) throw nestError('SIGIL_NEST_ENHANCER_UNBUILT', values);
    throw nestError(host.isSupplied ? 'SIGIL_NEST_ENHANCER_SUPPLIED' : 'SIGIL_NEST_ENHANCER_OVERRIDDEN', values);
  }

  /** Composes something for a call: the same for all calls if one instance serves them. */
  #chooser<T>(named: Named, compose: (host: HostedHandler) => T): Composed<T> {
    const { hosts, functions, contexts, container } = this.parts;
    const own = hosts.get(named.feature);
    const host = own ?? functions;
    const instanceOf = (built: object): object => (own || named.run ? built : (container.get(named.feature) as object));
    const composeOn = (built: object, contextId: HostedHandler['contextId']): T =>
      compose({ ...named, instance: instanceOf(built), contextId, hostId: host.id, moduleKey: host.module.token });
    const shared = once(() => composeOn(host.instance, undefined));
    return (context) => {
      if (host.isStatic) return shared();
      const { id } = contexts.of(context, host.isDurable);
      return host.resolve(id).then((built) => {
        if (host.isSupplied) this.#checkEnhancers(named, built);
        return composeOn(built, id);
      });
    };
  }
}

/** @param input the position of the input: functions with the same one are the same to Nest, which keeps their parameters by name */
function namedOf(handler: NestHandler, input: number): Named {
  if ('feature' in handler) return { ...handler, run: undefined };
  return { feature: EntryFunctions, member: `function ${input}`, run: handler.run };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function failureOf({ kind }: EntryFacts, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const cause = error instanceof TypeError ? CAUSES : '';
  return `A guard of Nest failed without a call, so lists leave out every ${kind} that it guards: ${reason}.${cause}`;
}
