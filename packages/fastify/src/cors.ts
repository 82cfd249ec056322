/** What browsers need to know before they let a page speak MCP with a server: one preset, also on errors and streams. */
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const RESPONSE_HEADERS = ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate', 'Retry-After', 'Allow'];

/** Lets pages of some origins in; without origins there is nothing to do, and CORS stays off. */
export async function registerCors(scope: FastifyInstance, origins: readonly string[]): Promise<FastifyCorsOptions | undefined> {
  if (origins.length === 0) return undefined;
  const preset: FastifyCorsOptions = {
    origin: [...origins],
    methods: ['GET', 'POST', 'DELETE', 'OPTIONS'],
    // No list of request headers: what a page asks for is let through, because argument headers have names of their own.
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: 7200,
    strictPreflight: false,
  };
  // Where the app has the plugin already its hook does the work, with our preset from the routes' configuration.
  if (!scope.hasRequestDecorator('corsPreflightEnabled')) await scope.register(cors, preset);
  return preset;
}
