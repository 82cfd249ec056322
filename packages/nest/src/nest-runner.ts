/** Calls the methods of features on the instances of Nest, inside of what Nest runs around them. */
import type { ApplicationConfig } from '@nestjs/core';
import type { Container, McpContext, MethodCall, MethodRunner, MethodToRun } from '@sigil-mcp/core';
import type { Constructor } from '@sigil-mcp/core';
import type { CallContexts } from './call-contexts';
import { enhance, type EnhancedCall, type NestAround } from './enhanced-method';
import type { FeatureHost } from './feature-hosts';
import { describeParameters, suppliedBy } from './method-parameters';
import { isRefusal, toldError } from './told-error';

type Enhanced = (call: EnhancedCall) => Promise<unknown>;
type Choose = (context: McpContext) => Enhanced | Promise<Enhanced>;

/** What the runner works with. */
export interface RunnerParts extends NestAround {
  readonly config: ApplicationConfig;
  readonly hosts: ReadonlyMap<Constructor, FeatureHost>;
  readonly contexts: CallContexts;
  /** Builds features that are no providers of Nest. */
  readonly container: Container;
}

/** The runner of an application. */
export class NestRunner implements MethodRunner {
  constructor(private readonly parts: RunnerParts) {}

  supplies(feature: Constructor, member: string): readonly number[] {
    return suppliedBy(feature, member);
  }

  handler({ feature, member, entry, parameters }: MethodToRun): (call: MethodCall) => Promise<unknown> {
    const described = describeParameters(feature, member, parameters.indexOf('input'));
    const choose = this.#chooser(feature, member);
    return async (methodCall) => {
      const { call } = methodCall;
      try {
        const run = await choose(call.context);
        const { request } = this.parts.contexts.of(call.context);
        return await run({
          args: [call.arguments, call.context, request, call],
          readInput: () => methodCall.readInput(),
          invoke: (method, instance, piped) => {
            const values = methodCall.values();
            for (const index of described) values[index] = piped[index];
            return methodCall.within(() => method.apply(instance, values));
          },
        });
      } catch (error) {
        throw toldError(error, entry.kind);
      }
    };
  }

  companion({
    feature,
    member,
    entry,
  }: MethodToRun<'prefix' | 'context' | 'caller' | 'page'>): (
    context: McpContext,
    values: readonly unknown[],
  ) => Promise<unknown> {
    const choose = this.#chooser(feature, member);
    return async (context, values) => {
      try {
        const run = await choose(context);
        const { request } = this.parts.contexts.of(context);
        return await run({
          args: [values[0], context, request, undefined],
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

  /** Finds the composed method for a call: the same for all calls if one instance serves them. */
  #chooser(feature: Constructor, member: string): Choose {
    const { hosts, contexts, container } = this.parts;
    const host = hosts.get(feature);
    const method = { feature, member, hostId: host?.id ?? '', contextId: undefined };
    if (!host) return once(() => this.#enhance({ ...method, instance: container.get(feature) as object }));
    const shared = once(() => this.#enhance({ ...method, instance: host.instance }));
    return (context) => {
      if (host.isStatic) return shared();
      const { id } = contexts.of(context, host.isDurable);
      return host.resolve(id).then((instance) => this.#enhance({ ...method, instance, contextId: id }));
    };
  }

  #enhance(host: Parameters<typeof enhance>[1]): Enhanced {
    return enhance(this.parts, host);
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
