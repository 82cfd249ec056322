/** A session of the official client of tasks with the everything server. It needs requests that the official client of the protocol does not send itself. */
import {
  Client,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Client as EsClient } from '@modelcontextprotocol/client' with { 'resolution-mode': 'import' };
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  createTaskSessionFromClient,
  type ApplicationInputHandler,
  type JsonRpcResponse,
  type RawClientDispatch,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import { builtApp } from '../../programs/e2e/built-app';

type RpcFailure = Extract<JsonRpcResponse, { kind: 'error' }>['error'];
type JsonValue = Extract<JsonRpcResponse, { kind: 'result' }>['result'];

/** The only revision with tasks. */
export const REVISION = '2026-07-28';

/** Who the client is. */
const CLIENT_INFO = { name: 'official-tasks', version: '1' };
const CAPABILITIES = { elicitation: { form: {} } };

/** A session, and what it was told. */
export interface OfficialSession {
  readonly session: TaskEnabledSession;
  readonly client: Client;
  /** Sends a request as it is. */
  readonly dispatch: RawClientDispatch;
  close(): Promise<void>;
}

/** Opens a session over stdio, or at a URL. */
export async function openSession(
  url: string | undefined,
  onInputRequest: ApplicationInputHandler['handle'],
): Promise<OfficialSession> {
  const transport: Transport =
    url === undefined
      ? new StdioClientTransport({ command: process.execPath, args: [builtApp('everything')], stderr: 'ignore' })
      : new StreamableHTTPClientTransport(new URL(url));
  const client = new Client(CLIENT_INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: { pin: REVISION } },
  });
  await client.connect(transport);
  const rawDispatch = dispatchOver(transport);
  // Its types are declared once for each kind of module.
  const session = createTaskSessionFromClient(client as unknown as EsClient, {
    endpointId: `everything at ${url ?? 'stdio'}`,
    rawDispatch,
    v2RequestFraming: { protocolVersion: REVISION, clientInfo: CLIENT_INFO, clientCapabilities: CAPABILITIES },
    onInputRequest,
  });
  return {
    session,
    client,
    dispatch: rawDispatch,
    close: async () => {
      await session.close();
      await client.close();
    },
  };
}

/** Requests with ids of their own, next to those of the client. */
function dispatchOver(transport: Transport): RawClientDispatch {
  const waiting = new Map<string, (response: JsonRpcResponse) => void>();
  const { onmessage } = transport;
  transport.onmessage = (received: JSONRPCMessage, ...extra) => {
    // Objects of `fetch` are none of jest's, and count as no JSON.
    const message = JSON.parse(JSON.stringify(received)) as JSONRPCMessage;
    const settle = 'id' in message && !('method' in message) ? waiting.get(String(message.id)) : undefined;
    if (!settle) return onmessage?.(message, ...extra);
    waiting.delete(String((message as { id: unknown }).id));
    // An answer has one of them, as JSON.
    const { result, error } = message as unknown as { result: JsonValue; error?: RpcFailure };
    settle(error === undefined ? { kind: 'result', result } : { kind: 'error', error });
  };
  let last = 0;
  return (request) =>
    new Promise((resolve, reject) => {
      const id = `raw-${++last}`;
      waiting.set(id, resolve);
      transport.send({ jsonrpc: '2.0', id, ...(request as { method: string }) }).catch(reject);
    });
}
