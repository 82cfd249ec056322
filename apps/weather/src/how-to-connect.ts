/** How to connect a client, ready to be copied. */
import { join } from 'node:path';

/** The URL of `npm start`, the configuration for each kind of client, and a request to try without a client. */
export function howToConnect(url: string): string {
  const overHttp = { mcpServers: { weather: { type: 'http', url } } };
  const overStdio = { mcpServers: { weather: { command: 'node', args: [join(__dirname, 'main.js')] } } };
  return [
    '',
    `The weather server is at ${url} (Streamable HTTP). Press Ctrl+C to stop it.`,
    ...section('Claude Code:', `claude mcp add --transport http weather ${url}`),
    ...section('Clients that speak Streamable HTTP (Cursor; VS Code calls the outer key "servers"):', json(overHttp)),
    ...section('Clients that start the server themselves (Claude Desktop and others):', json(overStdio)),
    ...section('Without a client:', listTools(url)),
    '',
    '',
  ].join('\n');
}

function section(title: string, text: string): string[] {
  return ['', title, '', ...text.split('\n').map((line) => `  ${line}`)];
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** The newest revision needs no handshake, so one request is enough. */
function listTools(url: string): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } });
  return [
    `curl ${url} -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\`,
    `  -H 'MCP-Protocol-Version: ${NEWEST}' -H 'Mcp-Method: tools/list' \\`,
    `  -d '${body}'`,
  ].join('\n');
}

const NEWEST = '2026-07-28';
