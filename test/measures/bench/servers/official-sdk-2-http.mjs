/** The official SDK 2 over HTTP: sessions wired by hand, 2026-07-28 as its documentation mounts it. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { reportMemory } from '../http/report-memory.mjs';
import { officialServers } from './official-sdk-2.mjs';
import { readOrder } from './order.mjs';

const { tools, stream, conversation } = readOrder();
const create = officialServers(tools);
const sessions = new Map();

const server = createServer(conversation === 'session' ? inSession : toNodeHandler(createMcpHandler(create)));
server.listen(0, '127.0.0.1', () => reportMemory(server.address().port));

async function inSession(request, response) {
  const id = request.headers['mcp-session-id'];
  const transport = id === undefined ? await openSession() : sessions.get(id);
  if (transport === undefined) response.writeHead(404).end();
  else await transport.handleRequest(request, response);
}

async function openSession() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: !stream,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  await create().connect(transport);
  return transport;
}
