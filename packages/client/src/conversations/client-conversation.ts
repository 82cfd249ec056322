/** How a client of a revision connects to a server, and what it adds to each of its messages. */
import {
  META_KEYS,
  type ClientCapabilities,
  type Implementation,
  type JsonObject,
  type JsonValue,
  type LogLevel,
  type Revision,
  type SubscriptionFilter,
} from '@sigil-mcp/protocol';
import { clientError } from '../errors';
import { objectOf } from '../json';
import { httpProfile, type HttpProfile } from './http-profile';

/** The client as it describes itself to a server. */
export interface SelfDescription {
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
}

/** A method and its parameters, before they are sent. */
export interface PlainRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** How a revision subscribes to changes. */
export interface SubscriptionPlan {
  /** The requests that open the subscription. */
  readonly opening: readonly PlainRequest[];
  /** If set, the answer comes only at the end, and this notification confirms the subscription. */
  readonly confirmation: string | undefined;
}

/** How a client of one revision behaves: one that shakes hands first, or one whose requests are complete in themselves. */
export interface ClientConversation {
  /** The first request. */
  readonly opening: PlainRequest;
  /** The notification after its answer; undefined if the revision has none. */
  readonly greeting: string | undefined;
  /** The revisions that the answer to the first request offers. */
  offeredIn(result: JsonObject): readonly string[];
  /** The name and the version of the server in the answer to the first request; unchecked. */
  serverIn(result: JsonObject): JsonValue | undefined;
  /** The parameters of any request, with the metadata that the revision requires. */
  dress(params: JsonObject | undefined): JsonObject | undefined;
  /** The metadata of a request whose client has an extension for this request; none in revisions that declare extensions at the beginning. */
  declare(extension: string): JsonObject;
  /** The request that sets the lowest level of log messages; undefined if each request has the level in its metadata. */
  levelRequest(level: LogLevel): PlainRequest | undefined;
  /** Subscribes to changes. Changes of lists may need no request. */
  subscription(filter: SubscriptionFilter): SubscriptionPlan;
  /** The request with which a client finds out whether the server answers. */
  readonly ping: PlainRequest;
  /** The part that concerns HTTP requests. */
  readonly http: HttpProfile;
}

/** The conversation of a client of a revision. */
export function clientConversation(revision: Revision, self: SelfDescription): ClientConversation {
  const converse = revision.lifecycle === 'handshake' ? handshakeConversation : perRequestConversation;
  return converse(revision, self);
}

/** Throws `SIGIL_CLIENT_OTHER_REVISION` if a server does not offer the revision that the client wants. */
export function assertOffered(wanted: string, offered: readonly string[]): void {
  if (offered.includes(wanted)) return;
  throw clientError('SIGIL_CLIENT_OTHER_REVISION', { wanted, offered: offered.join(', ') || 'none' });
}

function handshakeConversation(revision: Revision, { capabilities, clientInfo }: SelfDescription): ClientConversation {
  const { version } = revision;
  return {
    opening: {
      method: 'initialize',
      params: { ...revision.writeRequest('initialize', { protocolVersion: version, capabilities, clientInfo }) },
    },
    greeting: 'notifications/initialized',
    offeredIn: ({ protocolVersion }) => textsOf([protocolVersion]),
    serverIn: ({ serverInfo }) => serverInfo,
    dress: (params) => params,
    declare: () => ({}),
    levelRequest: (level) => ({ method: 'logging/setLevel', params: { level } }),
    subscription: ({ resourceSubscriptions = [] }) => ({
      opening: resourceSubscriptions.map((uri) => ({ method: 'resources/subscribe', params: { uri } })),
      confirmation: undefined,
    }),
    ping: { method: 'ping', params: {} },
    http: httpProfile(revision, 'initialize'),
  };
}

function perRequestConversation(revision: Revision, { capabilities, clientInfo }: SelfDescription): ClientConversation {
  const { version } = revision;
  const meta: JsonObject = {
    [META_KEYS.protocolVersion]: version,
    // Both are JSON by definition; their types just name the known members.
    [META_KEYS.clientCapabilities]: capabilities as JsonObject,
    [META_KEYS.clientInfo]: clientInfo as Implementation & JsonObject,
  };
  const dress = (params: JsonObject = {}): JsonObject => {
    // The `_meta` of the caller takes precedence, so that a test can send malformed metadata, too.
    return { ...params, _meta: { ...meta, ...objectOf(params['_meta']) } };
  };
  return {
    opening: { method: 'server/discover', params: dress() },
    greeting: undefined,
    offeredIn: ({ supportedVersions }) => textsOf(supportedVersions),
    serverIn: ({ _meta }) => objectOf(_meta)[META_KEYS.serverInfo],
    dress,
    declare: (extension) => ({
      [META_KEYS.clientCapabilities]: {
        ...(capabilities as JsonObject),
        extensions: { ...objectOf((capabilities as JsonObject)['extensions']), [extension]: {} },
      },
    }),
    levelRequest: () => undefined,
    subscription: (notifications) => ({
      // A filter is JSON, too.
      opening: [{ method: 'subscriptions/listen', params: { notifications: notifications as JsonObject } }],
      confirmation: 'notifications/subscriptions/acknowledged',
    }),
    ping: { method: 'server/discover', params: {} },
    http: httpProfile(revision, 'server/discover'),
  };
}

function textsOf(values: JsonValue | undefined | readonly (JsonValue | undefined)[]): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}
