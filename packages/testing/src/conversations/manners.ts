/** How a client of a revision connects to a server, and what it adds to each of its messages. */
import { META_KEYS, type ClientCapabilities, type JsonObject, type LogLevel, type Revision } from '@sigil-mcp/protocol';
import { objectOf } from '../json';
import { httpManners, type HttpManners } from './http-manners';
import { testingError } from '../errors';

/** The client as it describes itself to a server. */
export interface SelfDescription {
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: { readonly name: string; readonly version: string };
}

/** A method and its parameters, before they are sent. */
export interface PlainRequest {
  readonly method: string;
  readonly params: JsonObject;
}

/** How a client of one revision behaves. */
export interface Manners {
  /** The first request. */
  readonly opening: PlainRequest;
  /** The notification after its answer; undefined if the revision has none. */
  readonly greeting: string | undefined;
  /** Throws if the answer to the first request shows another revision than the client wants. */
  checkOpening(result: JsonObject): void;
  /** The parameters of any request, with the metadata that the revision requires. */
  dress(params: JsonObject | undefined): JsonObject | undefined;
  /** The request that sets the lowest level of log messages; undefined if each request has the level in its metadata. */
  levelRequest(level: LogLevel): PlainRequest | undefined;
  /** Subscribes to a resource. If the answer comes only at the end, a notification confirms the subscription. */
  subscription(uri: string): PlainRequest & { readonly confirmation: string | undefined };
  /** The part that concerns HTTP requests. */
  readonly http: HttpManners;
}

/** The behaviour of clients of a revision. */
export function manners(revision: Revision, self: SelfDescription): Manners {
  return revision.lifecycle === 'handshake' ? handshakeManners(revision, self) : perRequestManners(revision, self);
}

function handshakeManners(revision: Revision, { capabilities, clientInfo }: SelfDescription): Manners {
  const { version } = revision;
  return {
    // Capabilities are JSON by definition; their type just names the known ones.
    opening: {
      method: 'initialize',
      params: { protocolVersion: version, capabilities: capabilities as JsonObject, clientInfo },
    },
    greeting: 'notifications/initialized',
    checkOpening: ({ protocolVersion }) => expectVersion(version, [protocolVersion]),
    dress: (params) => params,
    levelRequest: (level) => ({ method: 'logging/setLevel', params: { level } }),
    subscription: (uri) => ({ method: 'resources/subscribe', params: { uri }, confirmation: undefined }),
    http: httpManners(revision, 'initialize'),
  };
}

function perRequestManners(revision: Revision, { capabilities, clientInfo }: SelfDescription): Manners {
  const { version } = revision;
  const meta: JsonObject = {
    [META_KEYS.protocolVersion]: version,
    // As above.
    [META_KEYS.clientCapabilities]: capabilities as JsonObject,
    [META_KEYS.clientInfo]: clientInfo,
  };
  const dress = (params: JsonObject = {}): JsonObject => {
    // The `_meta` of the test takes precedence, so that a test can send malformed metadata, too.
    return { ...params, _meta: { ...meta, ...objectOf(params['_meta']) } };
  };
  return {
    opening: { method: 'server/discover', params: dress() },
    greeting: undefined,
    checkOpening: ({ supportedVersions }) =>
      expectVersion(version, Array.isArray(supportedVersions) ? supportedVersions : []),
    dress,
    levelRequest: () => undefined,
    subscription: (uri) => ({
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: [uri] } },
      confirmation: 'notifications/subscriptions/acknowledged',
    }),
    http: httpManners(revision, 'server/discover'),
  };
}

function expectVersion(wanted: string, offered: readonly unknown[]): void {
  if (offered.includes(wanted)) return;
  throw testingError('SIGIL_TEST_OTHER_REVISION', { wanted, offered: offered.map(String).join(', ') || 'none' });
}
