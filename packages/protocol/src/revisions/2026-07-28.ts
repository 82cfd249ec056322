/**
 * No handshake and no session: each request is complete in itself, and each result contains its type, its server and
 * how long it may be cached. Questions are results, too. Any JSON as a tool's output.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/changelog
 */
import { RULES_2025_11_25 } from './2025-11-25';
import { extendRevision } from './extend-revision';

/** 2025-11-25, and what 2026-07-28 changed. */
export const RULES_2026_07_28 = extendRevision(RULES_2025_11_25, {
  version: '2026-07-28',
  lifecycle: 'per-request',
  adds: {
    requests: ['server/discover', 'subscriptions/listen'],
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
    requests: ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'],
    notifications: ['notifications/initialized', 'notifications/progress', 'notifications/roots/list_changed'],
    fields: {
      ElicitRequestURLParams: ['elicitationId'],
      ElicitationCompleteNotificationParams: ['elicitationId'],
    },
  },
  inputRequiredResults: ['tools/call', 'prompts/get', 'resources/read'],
  toolSchemas: 'any',
  resultEnvelope: 'complete',
  cacheableResults: [
    'server/discover',
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
  ],
  errorCodes: {
    'resource-not-found': -32602,
    'header-mismatch': -32020,
    'missing-client-capability': -32021,
    'unsupported-protocol-version': -32022,
  },
  http: {
    requiredHeaders: ['mcp-protocol-version', 'mcp-method'],
    nameHeader: new Map([
      ['tools/call', 'name'],
      ['prompts/get', 'name'],
      ['resources/read', 'uri'],
    ]),
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
