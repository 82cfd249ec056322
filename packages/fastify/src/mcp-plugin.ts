/** MCP as a plugin of a Fastify app that is there already. */
import type { Server } from '@sigil-mcp/core';
import type { Transport, TransportHost } from '@sigil-mcp/core/adapter';
import type { FastifyInstance } from 'fastify';
import { settingsOf, type EndpointOptions } from './options/endpoint-options';
import { registerEndpoint, type OpenEndpoint } from './endpoint/register-endpoint';

/** Options of the plugin. */
export interface McpPluginOptions extends EndpointOptions {
  readonly server: Server;
}

/**
 * Serves an MCP server inside an app. The app's own routes, parsers and handlers stay as they are; when it closes, the
 * server closes with it. The plugin handles no signals and never exits.
 * @example await app.register(mcpPlugin, { server, path: '/mcp' });
 */
export async function mcpPlugin(app: FastifyInstance, { server, ...options }: McpPluginOptions): Promise<void> {
  const transport = new PluginTransport(app, options);
  await server.listen(transport);
  // Before the app stops listening: open streams would keep it from ever closing.
  app.addHook('preClose', async () => server.close());
}

class PluginTransport implements Transport {
  #endpoint: OpenEndpoint | undefined;

  constructor(
    private readonly app: FastifyInstance,
    private readonly options: EndpointOptions,
  ) {}

  async open(host: TransportHost): Promise<void> {
    this.#endpoint = await registerEndpoint(this.app, host, settingsOf(this.options));
  }

  async close(): Promise<void> {
    await this.#endpoint?.close();
  }
}
