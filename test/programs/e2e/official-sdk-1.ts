/** `@modelcontextprotocol/sdk` 1: the client that most applications have today. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ElicitationCompleteNotificationSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { ASKABLE, type AnswerAsked, type OfficialClient } from './official-client';

const QUESTIONS = [ElicitRequestSchema, CreateMessageRequestSchema, ListRootsRequestSchema];
const CHANGES = [
  ToolListChangedNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ElicitationCompleteNotificationSchema,
];

/** Spawns a program and shakes hands with it. */
export async function spawnForSdk1(program: string, answer?: AnswerAsked): Promise<OfficialClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const client = await shakeHands(transport, answer);
  return { ...client, pid: transport.pid ?? 0, stderr: () => stderr };
}

/** Shakes hands over Streamable HTTP. */
export async function connectSdk1(url: string, answer?: AnswerAsked): Promise<OfficialClient> {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  const client = await shakeHands(transport, answer);
  const close = async (): Promise<void> => {
    await transport.terminateSession();
    await client.close();
  };
  return { ...client, close };
}

/** Shakes hands over the HTTP+SSE transport of the oldest revision, whose path stands beside the endpoint's. */
export async function connectSdk1OverSse(url: string, answer?: AnswerAsked): Promise<OfficialClient> {
  const transport = new SSEClientTransport(new URL('/sse', url));
  const client = await shakeHands(transport, answer);
  receiveOneATurn(transport);
  return client;
}

/** On a busy machine, reports on progress arrive together with the result, and this client would forget them once it has the result. */
function receiveOneATurn(transport: Transport): void {
  const receive = transport.onmessage;
  let turn = Promise.resolve();
  transport.onmessage = (message) => {
    turn = turn.then(() => nextTurn()).then(() => receive?.(message));
  };
}

async function shakeHands(transport: Transport, answer: AnswerAsked | undefined): Promise<OfficialClient> {
  const client = new Client({ name: 'official-sdk', version: '1' }, answer && { capabilities: ASKABLE });
  if (answer) answerWith(client, answer);
  const heard: string[] = [];
  for (const schema of CHANGES) client.setNotificationHandler(schema, ({ method }) => void heard.push(method));
  let revision: string | undefined;
  // The client tells its transport what was negotiated, if the transport wants to know.
  const tell = transport.setProtocolVersion?.bind(transport);
  Object.assign(transport, {
    setProtocolVersion: (version: string) => {
      revision = version;
      tell?.(version);
    },
  });
  const logged: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params.data));
  await client.connect(transport);
  return {
    revision,
    pid: 0,
    serverInfo: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    logged,
    heard,
    stderr: () => '',
    listTools: () => client.listTools(),
    callTool: (name, args, { onprogress, signal } = {}) =>
      client.callTool({ name, ...(args && { arguments: args }) }, undefined, {
        ...(onprogress && { onprogress }),
        ...(signal && { signal }),
      }),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    listPrompts: () => client.listPrompts(),
    getPrompt: (name, args) => client.getPrompt({ name, ...(args && { arguments: args }) }),
    complete: (typing) => client.complete(typing),
    ping: () => client.ping(),
    setLoggingLevel: (level) => client.setLoggingLevel(level),
    rootsChanged: () => client.sendRootsListChanged(),
    watch: async (uri) => {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    close: () => client.close(),
  };
}

function answerWith(client: Client, answer: AnswerAsked): void {
  for (const schema of QUESTIONS)
    client.setRequestHandler(schema, ({ method, params = {} }) => answer({ method, params }) as never); // judged by the client
}
