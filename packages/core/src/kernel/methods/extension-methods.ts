/** The methods of extensions: each runs the guards and scopes of the entry that it is about, and then its handler. */
import type { Method, ResultOf } from '@sigil-mcp/protocol';
import { andThen, type MaybePromise } from '@sigil-mcp/base';
import type { RunningCall } from '../../calls/running-call';
import { MissingScopes } from '../../errors/missing-rights';
import type { ExtensionMethod, ExtensionServices } from '../../extensions/extension';
import { RunningExtensionCall } from '../../extensions/running-extension-call';
import { checkAccess } from '../../pipeline/compile-call';
import { checkAnswer } from '../../pipeline/run-stages';
import type { Entry } from '../../registry/entry';
import type { Registry } from '../../registry/registry';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** Makes the handlers of all methods of extensions. */
export function extensionMethods({ extensions, servicesOf, registry }: MethodServices): MethodHandler[] {
  return extensions.all.flatMap(({ name, methods = [] }) =>
    methods.map((method) => handlerOf(method, { extension: name, services: servicesOf(name), registry })),
  );
}

interface Owner {
  readonly extension: string;
  readonly services: ExtensionServices;
  readonly registry: Registry;
}

function handlerOf(method: ExtensionMethod, { extension, services, registry }: Owner): MethodHandler {
  const { scopes = [], isUnlimited = false, isForEveryone = false, isPublic = false } = method;
  const locate = (call: RunningCall<Method, Entry>): void => {
    const found = method.entry?.(call.params, services.entries);
    call.entry = found && registry.find(found.kind, found.key);
  };
  const answer = (call: RunningCall): MaybePromise<object> => {
    const face = new RunningExtensionCall(call, extension);
    return andThen(method.handle(face, services), (given) => checkAnswer(given, face));
  };
  return {
    // Its name is one of the revision, as those of the protocol are; only the type of methods does not have it.
    method: method.operation.method as Method,
    ...(!isForEveryone && { extension }),
    isUnlimited,
    // Callers without a token are refused what is about no public entry.
    ...((method.entry || !isPublic) && { locate }),
    handle(call) {
      if (!call.exchange.caller.hasScopes(...scopes)) throw new MissingScopes(scopes);
      const { entry } = call;
      const given = entry ? checkAccess(entry.guards, entry.policy.scopes, answer)(call) : answer(call);
      // The operation writes the result that its own handler returns.
      return given as MaybePromise<ResultOf<Method>>;
    },
  };
}
