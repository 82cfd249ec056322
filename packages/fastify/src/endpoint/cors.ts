/** What browsers need to know before they let a page speak MCP with a server: one preset, also on errors and streams. */
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import { CORS } from '@sigil-mcp/http/adapter';
import type { FastifyInstance } from 'fastify';

// The default of the plugin, repeated here so that the list of an app does not replace it; its type does not have this value.
const ANY_HEADER = null as unknown as string[];

/**
 * Lets pages of some origins in; without origins CORS stays off.
 * @returns the configuration of the scope's routes: it keeps a CORS plugin of the app from having its own way here
 */
export async function registerCors(
  scope: FastifyInstance,
  origins: readonly string[],
): Promise<FastifyCorsOptions | false> {
  if (origins.length === 0) return false;
  const preset: FastifyCorsOptions = {
    ...CORS,
    origin: [...origins],
    // No list of request headers: what a page asks for is let through, because argument headers have names of their own.
    allowedHeaders: ANY_HEADER,
    credentials: false,
    preflightContinue: false,
    strictPreflight: false,
  };
  await new Promise<void>((resolve, reject) => {
    cors(withoutWildcard(scope), preset, (error) => (error ? reject(error) : resolve()));
  });
  return preset;
}

/**
 * The plugin adds a route for OPTIONS of every path, which would answer for the rest of the app and collide with that of
 * an app that uses the plugin itself. The paths of the scope have OPTIONS routes of their own.
 */
function withoutWildcard(scope: FastifyInstance): FastifyInstance {
  const hidden = { options: { value: () => scope }, decorateRequest: { value: () => scope } };
  // Object.create returns `any`, not the type of the prototype.
  return Object.create(scope, hidden) as FastifyInstance;
}
