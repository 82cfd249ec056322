/**
 * The attributes that Sentry shows for MCP servers, beside those of the conventions.
 * @see https://docs.sentry.io/product/insights/ai/mcp/
 */
import type { Attributes } from '@opentelemetry/api';
import type { ObservedRequest } from '@sigil-mcp/core';
import { ATTRIBUTES } from '../conventions';

/** Made of the names that exist, and of the id of the request. */
export function sentryAttributes(
  { id, network }: ObservedRequest,
  { [ATTRIBUTES.tool]: tool, [ATTRIBUTES.prompt]: prompt }: Attributes,
): Attributes {
  return {
    'sentry.op': 'mcp.server',
    'sentry.origin': 'auto.function.mcp_server',
    'mcp.request.id': `${id}`,
    ...(network && { 'mcp.transport': network.transport === 'tcp' ? 'http' : 'stdio' }),
    ...(tool !== undefined && { 'mcp.tool.name': tool }),
    ...(prompt !== undefined && { 'mcp.prompt.name': prompt }),
  };
}
