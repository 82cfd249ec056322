/** `resources/subscribe`, `resources/unsubscribe` and `subscriptions/listen`: two ways of asking to be told. */
import {
  META_KEYS,
  type ChangeNotification,
  type ListenResult,
  type ServerCapabilities,
  type SubscriptionFilter,
} from '@sigil-mcp/protocol';
import type { RunningCall } from '../../calls/running-call';
import type { McpContext } from '../../context/mcp-context';
import { andThen } from '../../values/maybe-promise';
import { unknownResource } from '../../errors/unknown-entry';
import { isVisible } from '../../registry/listing';
import { checkUri } from '../../registry/absolute-uri';
import type { Registry } from '../../registry/registry';
import { ChangeFeed } from '../change-feed';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** Subscribes the client to the changes of a resource; a second time changes nothing. */
export function subscribe({ registry }: MethodServices): MethodHandler<'resources/subscribe'> {
  return {
    method: 'resources/subscribe',
    capability: 'resources',
    locate(call) {
      call.entry = registry.findResource(call.params.uri)?.entry;
    },
    handle({ params: { uri }, conversation, context, entry }) {
      checkUri(uri);
      if (!entry) throw unknownResource(uri);
      // Guards may take their time, and a client may have changed its mind meanwhile.
      const subscribe = conversation.lasting?.subscribe(uri);
      return andThen(isVisible(entry, context), (visible) => {
        context.signal.throwIfAborted();
        if (!visible) throw unknownResource(uri);
        subscribe?.();
        return {};
      });
    },
  };
}

/** Ends a subscription to a resource; without one it is no error. */
export function unsubscribe(): MethodHandler<'resources/unsubscribe'> {
  return {
    method: 'resources/unsubscribe',
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
export function listen({ listeners, capabilities, registry }: MethodServices): MethodHandler<'subscriptions/listen'> {
  return {
    method: 'subscriptions/listen',
    async handle(call) {
      const { params, context } = call;
      const uris = await readableUris(params.notifications.resourceSubscriptions ?? [], registry, context);
      const filter = honoured(
        { ...params.notifications, resourceSubscriptions: uris },
        params.notifications,
        capabilities,
      );
      const { id: subscriptionId, signal } = call;
      // Guards may take their time, and a client may have changed its mind meanwhile.
      signal.throwIfAborted();
      call.mention({ method: 'notifications/subscriptions/acknowledged', notifications: filter, subscriptionId });
      const wants = compileFilter(filter);
      const feed = new ChangeFeed((change) => call.tell({ ...change, subscriptionId }));
      return new Promise<ListenResult>((resolve) => {
        const leave = listeners.add({
          hear: (change) => {
            if (wants(change)) feed.tell(change);
          },
          end: () => resolve(endListening(call)),
          client: call.conversation.running,
        });
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}

/**
 * Gives the result of a stream that the server ends. Where other messages share the way out, the end of the stream cannot be
 * seen, so the specification wants it said.
 */
function endListening(call: RunningCall): ListenResult {
  const { id: requestId, exchange } = call;
  if (exchange.isShared) {
    call.mention({ method: 'notifications/cancelled', requestId, reason: 'The server is shutting down.' });
  }
  return { _meta: { [META_KEYS.subscriptionId]: requestId } };
}

/** The URIs under which there is a resource that the caller may see, in their order. */
async function readableUris(uris: readonly string[], registry: Registry, context: McpContext): Promise<string[]> {
  const readable: string[] = [];
  for (const uri of uris) {
    const entry = registry.findResource(uri)?.entry;
    if (entry && (await isVisible(entry, context))) readable.push(uri);
  }
  return readable;
}

/** The part of a client's wishes that the server advertises. */
function honoured(
  filter: SubscriptionFilter,
  wanted: SubscriptionFilter,
  { tools, prompts, resources }: ServerCapabilities,
): SubscriptionFilter {
  const { toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions } = filter;
  return {
    ...(toolsListChanged && tools?.listChanged && { toolsListChanged }),
    ...(promptsListChanged && prompts?.listChanged && { promptsListChanged }),
    ...(resourcesListChanged && resources?.listChanged && { resourcesListChanged }),
    ...(wanted.resourceSubscriptions && resources?.subscribe && resourceSubscriptions && { resourceSubscriptions }),
  };
}

function compileFilter(filter: SubscriptionFilter): (change: ChangeNotification) => boolean {
  const uris = new Set(filter.resourceSubscriptions);
  const lists: Readonly<Record<string, boolean | undefined>> = {
    'notifications/tools/list_changed': filter.toolsListChanged,
    'notifications/prompts/list_changed': filter.promptsListChanged,
    'notifications/resources/list_changed': filter.resourcesListChanged,
  };
  return (change) =>
    change.method === 'notifications/resources/updated' ? uris.has(change.uri) : lists[change.method] === true;
}
