/**
 * No handshake and no session: each request is complete in itself, and each result contains its type, its server and
 * how long it may be cached. Questions are results, too. Any JSON as a tool's output.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/changelog
 */
import { INITIALIZE, SERVER_DISCOVER, PING, LOGGING_SET_LEVEL } from '../operations/lifecycle';
import { RESOURCES_SUBSCRIBE, RESOURCES_UNSUBSCRIBE } from '../operations/features';
import { SUBSCRIPTIONS_LISTEN } from '../operations/subscriptions-listen';
import { RULES_2025_11_25 } from './2025-11-25';
import { extendRevision } from './extend-revision';

/** 2025-11-25, and what 2026-07-28 changed. */
export const RULES_2026_07_28 = extendRevision(RULES_2025_11_25, {
  version: '2026-07-28',
  lifecycle: 'per-request',
  adds: {
    requests: [SERVER_DISCOVER, SUBSCRIPTIONS_LISTEN],
    fields: {
      ServerCapabilities: ['extensions'],
      DiscoverResult: ['supportedVersions', 'capabilities', 'instructions', 'ttlMs', 'cacheScope', '_meta'],
      SubscriptionsListenResult: ['_meta'],
      SubscriptionsAcknowledgedNotificationParams: ['notifications'],
      ListToolsResult: ['ttlMs', 'cacheScope'],
      ListResourcesResult: ['ttlMs', 'cacheScope'],
      ListResourceTemplatesResult: ['ttlMs', 'cacheScope'],
      ReadResourceResult: ['ttlMs', 'cacheScope'],
      ListPromptsResult: ['ttlMs', 'cacheScope'],
    },
  },
  removes: {
    requests: [INITIALIZE, PING, LOGGING_SET_LEVEL, RESOURCES_SUBSCRIBE, RESOURCES_UNSUBSCRIBE],
    notifications: ['notifications/initialized', 'notifications/progress', 'notifications/roots/list_changed'],
    fields: {
      ElicitRequestURLParams: ['elicitationId'],
      ElicitationCompleteNotificationParams: ['elicitationId'],
    },
  },
  questions: 'results',
  toolSchemas: 'any',
  resultEnvelope: 'complete',
  undeclaredExtension: 'missing-client-capability',
  errorCodes: {
    'resource-not-found': -32602,
    'header-mismatch': -32020,
    'missing-client-capability': -32021,
    'unsupported-protocol-version': -32022,
  },
  http: {
    requiredHeaders: ['mcp-protocol-version', 'mcp-method'],
    nameHeader: true,
    mirrorsArguments: true,
    sessions: false,
    getStream: false,
    replay: false,
    polling: false,
    disconnectCancels: true,
    errorStatus: {
      [-32700]: 400,
      [-32600]: 400,
      [-32601]: 404,
      [-32020]: 400,
      [-32021]: 400,
      [-32022]: 400,
    },
  },
});
