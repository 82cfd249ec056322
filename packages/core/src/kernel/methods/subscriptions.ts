/** `resources/subscribe`, `resources/unsubscribe` and `subscriptions/listen`: the two ways to subscribe to changes. */
import { unawaited, type MaybePromise } from '@sigil-mcp/base';
import {
  META_KEYS,
  type ChangeNotification,
  type ExtensionNotification,
  type JsonObject,
  type JsonValue,
  type ListenResult,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '@sigil-mcp/protocol';
import type { Exchange, FollowSubscription } from '../../calls/conversation';
import type { RunningCall } from '../../calls/running-call';
import type { McpContext } from '../../context/mcp-context';
import { unknownResource } from '../../errors/catalogue';
import { MissingScopes } from '../../errors/denial';
import { ExtensionCall } from '../../extensions/extension-call';
import { undeclared } from '../../extensions/server-extensions';
import { ALL_KINDS } from '../../kinds/all-kinds';
import type { ListChange } from '../../kinds/entry-kind-rules';
import type { SubscriptionBudget } from '../../limits/budget';
import { checkUri, normalUri } from '../../values/normal-uri';
import { admits, checkWithoutToken, letsThrough } from '../../registry/entry';
import type { Registry } from '../../registry/registry';
import { ChangeFeed, subjectOf } from '../change-feed';
import type { MethodHandler } from '../compiled-method';
import type { ServerContext } from '../server-context';

type SubscriptionServices = Pick<ServerContext, 'extensions' | 'maskError'>;

/** Subscribes the client to the changes of a resource; a second call changes nothing. */
export function subscribe({ registry, subscriptions }: ServerContext): MethodHandler<'resources/subscribe'> {
  return {
    method: 'resources/subscribe',
    capability: 'resources',
    locate(call) {
      call.entry = registry.findResource(call.params.uri)?.entry;
    },
    async handle(call) {
      const { params, context, entry } = call;
      checkUri(params.uri);
      if (!entry) throw unknownResource(params.uri);
      // Guards may take some time, and the client may have unsubscribed meanwhile.
      const complete = beginSubscription(call, subscriptions);
      // A guard may never return.
      context.signal.addEventListener('abort', () => complete?.(false), { once: true });
      let isAllowed = false;
      try {
        const isKnown = await admits(entry, context);
        context.signal.throwIfAborted();
        if (!isKnown) throw unknownResource(params.uri);
        isAllowed = true;
        return {};
      } finally {
        complete?.(isAllowed);
      }
    },
  };
}

/** Without a session, notifications of changes could not be delivered. */
function beginSubscription(
  { params: { uri }, conversation, session }: RunningCall<'resources/subscribe'>,
  subscriptions: SubscriptionBudget,
): ((isAllowed: boolean) => void) | undefined {
  const { lasting, running } = conversation;
  if (!lasting || !session || lasting.isSubscribed(uri)) return undefined;
  return lasting.subscribe(uri, subscriptions.take(running.load, [uri]));
}

/** Ends a subscription to a resource; without one it does nothing. */
export function unsubscribe(): MethodHandler<'resources/unsubscribe'> {
  return {
    method: 'resources/unsubscribe',
    isUnlimited: true,
    capability: 'resources',
    handle({ params: { uri }, conversation }) {
      checkUri(uri);
      conversation.lasting?.unsubscribe(uri);
      return {};
    },
  };
}

/**
 * Opens a stream of changes that lasts until the client ends it or the server closes.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export function listen(services: ServerContext): MethodHandler<'subscriptions/listen'> {
  return {
    method: 'subscriptions/listen',
    isLasting: true,
    async handle(call) {
      const wanted = [...byNormalUri(call.params.notifications.resourceSubscriptions).values()];
      const giveBack = services.subscriptions.take(call.conversation.running.load, wanted);
      call.signal.addEventListener('abort', giveBack, { once: true });
      try {
        return await listenTo(wanted, call, services);
      } finally {
        giveBack();
      }
    },
  };
}

async function listenTo(
  wanted: readonly string[],
  call: RunningCall<'subscriptions/listen'>,
  services: ServerContext,
): Promise<ListenResult> {
  const { context, exchange, id: subscriptionId, signal } = call;
  const fields = await readFields(call, services);
  const uris = await readableUris(wanted, services.registry, context);
  const filter = { ...honoured(uris, call, services), ...fields };
  // Guards may take some time, and the client may have cancelled meanwhile.
  signal.throwIfAborted();
  call.messages.mention({ method: 'notifications/subscriptions/acknowledged', notifications: filter, subscriptionId });
  // On such an exchange nothing can be sent before the end: the answer only arrives with it.
  if (exchange.hearsChanges === false) return endListening(call, 'This server does not announce changes.');
  const send = (change: ChangeNotification) => call.messages.tell({ ...change, subscriptionId });
  const first = new FirstNotifications(send, compileFilter(filter, fields, services));
  return new Promise<ListenResult>((resolve, reject) => {
    const end = (reason = 'The server is shutting down.'): void => {
      forget();
      resolve(endListening(call, reason));
    };
    const forget = services.expiries.add(context.caller.expiresAt, () => {
      leave();
      end('The token has expired.');
    });
    const leave = services.listeners.add({
      hear: (change) => first.hear(change),
      followSubscriptions: (follower) => reportAll(filter, follower),
      lists: listsOf(filter),
      end,
      caller: context.caller,
      client: call.conversation.running,
    });
    const abort = (): void => {
      leave();
      forget();
      reject(signal.reason as Error);
    };
    first.send(call, fields, services);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Returns the result of a stream that the server ends. If other messages share the output, the end of the stream is not visible, so the
 * specification requires a notification.
 */
function endListening(call: RunningCall, reason: string): ListenResult {
  const { id: requestId, exchange } = call;
  if (exchange.isShared) {
    call.messages.mention({ method: 'notifications/cancelled', requestId, reason });
  }
  return { _meta: { [META_KEYS.subscriptionId]: requestId } };
}

/**
 * The URIs of existing resources that the caller may subscribe to, in their order.
 * @throws MissingScopes with the scopes of all of them; MissingToken if a caller without a token asks for a resource that is not public
 */
async function readableUris(uris: readonly string[], registry: Registry, context: McpContext): Promise<string[]> {
  const readable: string[] = [];
  const wanted = new Set<string>();
  for (const uri of uris) {
    const entry = registry.findResource(uri)?.entry;
    checkWithoutToken(entry, context.caller);
    if (!entry || !(await letsThrough(entry, context))) continue;
    readable.push(uri);
    for (const scope of entry.policy.scopes) wanted.add(scope);
  }
  const scopes = [...wanted];
  if (!context.caller.hasScopes(...scopes)) throw new MissingScopes(scopes);
  return readable;
}

/** The part of a client's request that the server supports, with the resources that the caller may read. */
function honoured(
  uris: readonly string[],
  { params: { notifications }, exchange }: RunningCall<'subscriptions/listen'>,
  { capabilities }: ServerContext,
): SubscriptionFilter {
  const offered = offeredOn(exchange, capabilities);
  const lists = ALL_KINDS.filter((kind) => notifications[kind.listFilter] && offered[kind.capability]?.listChanged);
  return {
    ...Object.fromEntries(lists.map(({ listFilter }) => [listFilter, true])),
    ...(notifications.resourceSubscriptions && offered.resources?.subscribe && { resourceSubscriptions: uris }),
  };
}

/** URIs as a client has written them, by their normal form: of two that are equal, the first. */
function byNormalUri(uris: readonly string[] = []): ReadonlyMap<string, string> {
  const written = new Map<string, string>();
  for (const uri of uris) {
    const key = normalUri(uri);
    if (!written.has(key)) written.set(key, uri);
  }
  return written;
}

/** Reports the resources of a filter, which never changes. */
function reportAll({ resourceSubscriptions = [] }: SubscriptionFilter, follower: FollowSubscription): () => void {
  for (const uri of resourceSubscriptions) follower(uri, true);
  return () => undefined;
}

/** The lists whose changes a filter has. */
function listsOf(filter: SubscriptionFilter): ReadonlySet<ListChange> {
  return new Set(ALL_KINDS.flatMap(({ listChange, listFilter }) => (filter[listFilter] ? [listChange] : [])));
}

/** The notification of a change, with the URI that the client has written; undefined if a filter does not cover it. */
function compileFilter(
  filter: SubscriptionFilter,
  fields: JsonObject,
  services: ServerContext,
): (change: ChangeNotification) => ChangeNotification | undefined {
  const uris = byNormalUri(filter.resourceSubscriptions);
  const isCovered = compileFields(fields, services);
  const lists = listsOf(filter);
  return (change) => {
    if (change.method === 'extension') return isCovered(change) ? change : undefined;
    if (change.method !== 'notifications/resources/updated') return lists.has(change.method) ? change : undefined;
    const uri = uris.get(normalUri(change.uri));
    return uri === undefined ? undefined : { ...change, uri };
  };
}

/** The notifications of one subscription. */
class FirstNotifications {
  readonly #feed: ChangeFeed;
  /** What was told already: a first notification about it would be older. */
  readonly #told = new Set<string>();

  /**
   * @param send passes a change to the transport; returns a promise while its buffer is full
   * @param tellsOf the notification of a change, as the client receives it; undefined if the subscription does not cover it
   */
  constructor(
    send: (change: ChangeNotification) => MaybePromise<void>,
    private readonly tellsOf: (change: ChangeNotification) => ChangeNotification | undefined,
  ) {
    this.#feed = new ChangeFeed(send);
  }

  /** Sends a change, if the subscription covers it. */
  hear(change: ChangeNotification): void {
    const told = this.tellsOf(change);
    if (!told) return;
    if (told.method === 'extension') this.#told.add(subjectOf(told));
    this.#feed.tell(told);
  }

  /** Sends the first notifications. Call it when changes are heard, so that none is missed in between. */
  send(call: RunningCall<'subscriptions/listen'>, fields: JsonObject, services: SubscriptionServices): void {
    const sent = firstOf(call, fields, services).then((first) => {
      for (const notification of first) if (!this.#told.has(subjectOf(notification))) this.#feed.tell(notification);
    });
    unawaited(sent, (error) => void services.maskError(error, call));
  }
}

async function firstOf(
  call: RunningCall<'subscriptions/listen'>,
  fields: JsonObject,
  { extensions }: SubscriptionServices,
): Promise<readonly ExtensionNotification[]> {
  const found: ExtensionNotification[] = [];
  for (const [name, { owner, field }] of extensions.listenFields) {
    const wanted = fields[name];
    if (wanted === undefined || !field.first) continue;
    const extension = owner.name;
    const first = await field.first(wanted, new ExtensionCall(call, extension), owner.started);
    for (const { method: notification, ...rest } of first)
      found.push({ method: 'extension', extension, notification, ...rest });
  }
  return found;
}

/** The same capabilities, without those that cannot be delivered. */
export function withoutChanges({ tools, resources, prompts, ...others }: ServerCapabilities): ServerCapabilities {
  return {
    ...(tools && { tools: {} }),
    ...(resources && { resources: {} }),
    ...(prompts && { prompts: {} }),
    ...others,
  };
}

/** The capabilities that it offers to the client of an exchange. */
function offeredOn({ hearsChanges }: Exchange, capabilities: ServerCapabilities): ServerCapabilities {
  return hearsChanges === false ? withoutChanges(capabilities) : capabilities;
}

// The fields of extensions in the filter of `subscriptions/listen`.

type ListenServices = Pick<ServerContext, 'extensions'>;

/**
 * The part of what a client wants that the extensions let it have, by the names of the fields.
 * @throws ProtocolError if the client did not declare the extension of a field
 */
async function readFields(
  call: RunningCall<'subscriptions/listen'>,
  { extensions }: ListenServices,
): Promise<JsonObject> {
  const honoured: Record<string, JsonValue> = {};
  // A filter is JSON; its type names the fields of the protocol.
  const wanted = call.params.notifications as JsonObject;
  for (const [name, { owner, field }] of extensions.listenFields) {
    const value = wanted[name];
    if (value === undefined) continue;
    const face = new ExtensionCall(call, owner.name);
    if (!face.isDeclared) throw undeclared(owner.name, call.method, call.revision);
    const part = field.honour ? await field.honour(value, face, owner.started) : value;
    if (part !== undefined) honoured[name] = part;
  }
  return honoured;
}

/** Whether a notification of an extension is covered by one of the fields that were honoured. */
function compileFields(fields: JsonObject, { extensions }: ListenServices): (change: ExtensionNotification) => boolean {
  const all = Object.entries(fields).flatMap(([name, wanted]) => {
    const served = extensions.listenFields.get(name);
    return served && wanted !== undefined ? [{ ...served, wanted }] : [];
  });
  return ({ extension, notification: method, params }) =>
    all.some((one) => one.owner.name === extension && one.field.covers(one.wanted, { method, params }));
}
