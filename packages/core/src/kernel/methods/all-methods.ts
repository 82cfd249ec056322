/** The methods of the protocol. To add one, add a file to this folder and a line here. */
import {
  type GetPromptResult,
  type ServerCapabilities,
  type Revision,
  type CacheHints,
  type ReadResourceResult,
  type Method,
  type ResultOf,
  ProtocolError,
  type CompleteParams,
  type CompleteResult,
} from '@sigil-mcp/protocol';
import { type MaybePromise, andThen } from '@sigil-mcp/base';
import { sigilError, unknownPrompt, unknownResource } from '../../errors/catalogue';
import { keepResult } from '../../output/results';
import type { RunningCall } from '../../calls/running-call';
import { checkUri } from '../../values/normal-uri';
import { admits, dependsOnCaller, type Entry } from '../../registry/entry';
import { MissingScopes } from '../../errors/denial';
import type { ExtensionMethod } from '../../extensions/extension';
import { ExtensionCall } from '../../extensions/extension-call';
import type { ServerExtension } from '../../extensions/server-extensions';
import { checkAccess } from '../../pipeline/compile-call';
import { checkAnswer } from '../../pipeline/compose-interceptors';
import { EntryFaces, type Registry } from '../../registry/registry';
import { keyOf, tooOften } from '../../guards/rate-limit';
import { TokenBuckets } from '../../limits/token-buckets';
import type { MethodHandler } from '../compiled-method';
import { listMethods } from './lists';
import type { ServerContext } from '../server-context';
import { listen, subscribe, unsubscribe, withoutChanges } from './subscriptions';
import { callTool } from './tools';

/** The specification's limit for one answer. */
const MOST_VALUES = 100;

const PRIVATE = { cacheScope: 'private' } as const;

/** Makes the handlers of all methods for a server. */
export function allMethods(services: ServerContext): MethodHandler[] {
  return [
    initialize(services),
    ping(),
    discover(services),
    ...listMethods(services),
    callTool(services),
    readResource(services),
    getPrompt(services),
    complete(services),
    setLogLevel(),
    subscribe(services),
    unsubscribe(),
    listen(services),
    ...extensionMethods(services),
  ];
}

/** Answers with nothing but the answer: the server is there. */
function ping(): MethodHandler<'ping'> {
  return { method: 'ping', isUnlimited: true, handle: () => ({}) };
}

/** Sets the lowest level of log messages that the client receives from now on. */
function setLogLevel(): MethodHandler<'logging/setLevel'> {
  return {
    method: 'logging/setLevel',
    isUnlimited: true,
    capability: 'logging',
    handle({ params, conversation }) {
      conversation.lasting?.setLogLevel(params.level);
      return {};
    },
  };
}

/** Gives the messages of a prompt. */
function getPrompt({ registry }: ServerContext): MethodHandler<'prompts/get'> {
  return {
    method: 'prompts/get',
    capability: 'prompts',
    locate(call) {
      call.entry = registry.find('prompt', call.params.name);
      call.arguments = call.params.arguments;
    },
    handle(call) {
      const { entry, params } = call;
      if (!entry) throw unknownPrompt(params.name);
      // The entry's output was shaped for a prompt when it was compiled.
      return entry.invoke(call) as MaybePromise<GetPromptResult>;
    },
  };
}

/** Tells which revisions are served and what the server offers. That is the same for every caller of a kind, so its text is kept. */
function discover({ instructions, capabilities, cache, revisions }: ServerContext): MethodHandler<'server/discover'> {
  const resultWith = (advertised: ServerCapabilities) =>
    keepResult({
      supportedVersions: revisions.perRequest.map(({ version }) => version),
      capabilities: advertised,
      ...(instructions !== undefined && { instructions }),
      ...cache,
    });
  const [result, unchanging] = [resultWith(capabilities), resultWith(withoutChanges(capabilities))];
  return {
    method: 'server/discover',
    isUnlimited: true,
    handle: ({ exchange }) => (exchange.hearsChanges === false ? unchanging : result),
  };
}

/**
 * Tells the client which revision is spoken, what it is talking to, and what that offers.
 *
 * `initialize`: the answer to the handshake. The conversation negotiates the revision.
 */
function initialize(services: ServerContext): MethodHandler<'initialize'> {
  const { server, instructions, revisions } = services;
  const offered = new Map(revisions.handshake.map((revision) => [revision, offersIn(revision, services)]));
  return {
    method: 'initialize',
    isUnlimited: true,
    handle({ revision, exchange }) {
      const offers = offered.get(revision) ?? offersIn(revision, services);
      return {
        protocolVersion: revision.version,
        capabilities: exchange.hearsChanges === false ? offers.unchanging : offers.all,
        serverInfo: server,
        ...(instructions !== undefined && { instructions }),
      };
    },
  };
}

/** The capabilities in a revision: to clients that can be notified of changes, and to others. */
function offersIn(
  revision: Revision,
  { extensions, capabilities }: ServerContext,
): { readonly all: ServerCapabilities; readonly unchanging: ServerCapabilities } {
  const all = extensions.advertisedIn(revision, capabilities);
  return { all, unchanging: withoutChanges(all) };
}

/** Reads what is under a URI. */
function readResource({ registry, cache }: ServerContext): MethodHandler<'resources/read'> {
  return {
    method: 'resources/read',
    capability: 'resources',
    locate(call) {
      const match = registry.findResource(call.params.uri);
      call.entry = match?.entry;
      call.arguments = match?.variables;
    },
    handle(call) {
      const { entry, params } = call;
      checkUri(params.uri);
      if (!entry) throw unknownResource(params.uri);
      return andThen(entry.invoke(call), (result) => {
        const isOfCaller = dependsOnCaller(entry) || (registry.hasPublic && !entry.policy.isPublic);
        return withHints(result, call, { ...cache, ...entry.cache, ...(isOfCaller && PRIVATE) });
      });
    },
  };
}

/** Adds how long, and by whom, a result may be cached: what is decided for one caller must not be served to another. */
function withHints(result: unknown, { isRetry }: RunningCall<'resources/read'>, hints: CacheHints): ReadResourceResult {
  // The entry's output was shaped for a resource when it was compiled.
  const read = result as ReadResourceResult;
  // What was made of one user's answers must not be served to another either.
  if (isRetry) return { ...read, ttlMs: 0, cacheScope: 'private' };
  return { ...read, ...hints };
}

/** Makes the handlers of all methods of extensions. */
function extensionMethods({ extensions, registry }: ServerContext): MethodHandler[] {
  return extensions.all.flatMap((owner) =>
    (owner.value.protocol?.methods ?? []).map((method) => handlerOf(method, owner, registry)),
  );
}

function handlerOf(
  method: ExtensionMethod<object, object, object>,
  owner: ServerExtension,
  registry: Registry,
): MethodHandler {
  const { scopes = [], isUnlimited = false, isForEveryone = false, isPublic = false } = method;
  const entries = new EntryFaces(registry);
  const locate = (call: RunningCall<Method, Entry>): void => {
    const found = method.entry?.(call.params, entries);
    call.entry = found && registry.find(found.kind, found.key);
  };
  const answer = (call: RunningCall): MaybePromise<object> => {
    const face = new ExtensionCall(call, owner.name);
    return andThen(method.handle(face, owner.started), (given) => checkAnswer(given, face));
  };
  return {
    // Its name is one of the revision, as those of the protocol are; only the type of methods does not have it.
    method: method.operation.method as Method,
    ...(!isForEveryone && { extension: owner.name }),
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

/** Suggests values for an argument of a prompt or a variable of a template. */
function complete({ registry, limits, clock }: ServerContext): MethodHandler<'completion/complete'> {
  const { completions } = limits;
  const buckets = completions ? new TokenBuckets(completions, clock) : undefined;
  const checkRate = (call: RunningCall): void => {
    const wait = buckets?.take(keyOf(call.face)) ?? 0;
    if (completions && wait > 0) throw tooOften(completions, wait, 'limits.completions');
  };
  return {
    method: 'completion/complete',
    capability: 'completions',
    locate(call) {
      call.entry = findTarget(registry, call.params);
      call.arguments = call.params.previous;
    },
    async handle(call) {
      checkRate(call);
      const { entry, params } = call;
      // A guarded entry must not be found out by asking for its completions.
      if (!entry || !(await admits(entry, call.context))) throw unknownTarget(params);
      const completer = entry.completers.get(params.argument.name);
      return completer
        ? andThen(completer(params.argument.value, call), (values) => limit(values, call))
        : limit([], call);
    },
  };
}

function findTarget(registry: Registry, { ref }: CompleteParams): Entry | undefined {
  if (ref.type === 'ref/prompt') return registry.find('prompt', ref.name);
  return registry.find('resource-template', ref.uri) ?? registry.findResource(ref.uri)?.entry;
}

function limit(values: unknown, { entry }: RunningCall): CompleteResult {
  if (!Array.isArray(values)) throw sigilError('SIGIL_COMPLETER_OUTPUT', { entry: entry?.key ?? '' });
  const list = values.map(String);
  return { completion: { values: list.slice(0, MOST_VALUES), total: list.length, hasMore: list.length > MOST_VALUES } };
}

function unknownTarget({ ref }: CompleteParams): ProtocolError {
  if (ref.type === 'ref/prompt') return unknownPrompt(ref.name);
  return new ProtocolError('invalid-params', unknownResource(ref.uri).message);
}
