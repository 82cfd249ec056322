/** MCP as a plugin of a Fastify app that already exists. */
import type { Server } from '@sigil-mcp/core';
import type { Transport, TransportHost } from '@sigil-mcp/core/adapter';
import { requireOptions } from '@sigil-mcp/core/internal';
import type { FastifyInstance } from 'fastify';
import type { EndpointOptions } from '@sigil-mcp/http';
import { ENDPOINT_OPTIONS, settingsOf } from '@sigil-mcp/http/adapter';
import { registerEndpoint, type OpenEndpoint } from './endpoint/register-endpoint';

/** The options of `mcpPlugin`: the server, and the behaviour of its endpoint. */
export interface McpPluginOptions extends EndpointOptions {
  /** The server that is started with the plugin and closed with the app. */
  readonly server: Server;
}

/**
 * The app that a plugin is registered with, of any copy of Fastify 5: a framework such as Nest has its own copy, whose types differ from
 * ours. The plugin only uses features that exist since 5.0.
 */
export interface FastifyApp {
  readonly version: string;
  readonly register: unknown;
  readonly addHook: unknown;
}

/** Those that Fastify itself reads are passed on to the plugin. */
const PLUGIN_OPTIONS = { ...ENDPOINT_OPTIONS, prefix: undefined, logLevel: undefined, logSerializers: undefined };

/**
 * Serves an MCP server inside an app. The app's own routes, parsers and handlers stay as they are; when it closes, the
 * server closes with it. The plugin handles no signals and never exits. It rejects with what `server.listen` rejects with.
 * @example await app.register(mcpPlugin, { server, path: '/mcp' });
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
export async function mcpPlugin(host: FastifyApp, { server, ...options }: McpPluginOptions): Promise<void> {
  // Two copies of a library have different types for the same object.
  const app = host as FastifyInstance;
  requireOptions('mcpPlugin', options, PLUGIN_OPTIONS);
  const transport = new PluginTransport(app, options);
  await server.listen(transport);
  app.addHook('preClose', async () => {
    await transport.refuseConnections();
    // Before the app waits for its connections, because open streams would keep it from closing.
    await server.close();
  });
}

class PluginTransport implements Transport {
  #endpoint: OpenEndpoint | undefined;

  constructor(
    private readonly app: FastifyInstance,
    private readonly options: EndpointOptions,
  ) {}

  async open(host: TransportHost): Promise<void> {
    this.#endpoint = await registerEndpoint(this.app, host, settingsOf(this.options, host.kernel.context.limits));
  }

  /** The app is closing: new connections should reach another instance. */
  async refuseConnections(): Promise<void> {
    await this.#endpoint?.refuseConnections();
  }

  async close(): Promise<void> {
    await this.#endpoint?.close();
  }
}
