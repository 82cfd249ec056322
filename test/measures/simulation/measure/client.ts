/** A client of a fleet: any request of a session may go to any instance. */
import { Agent, request, type IncomingMessage } from 'node:http';

const ACCEPT = 'application/json, text/event-stream';
const REVISION = '2025-11-25';
const ALONE = '2026-07-28';
const CLIENT = { name: 'simulation', version: '1.0.0' };
/** What a client of 2026-07-28 says in each request. */
const META = {
  'io.modelcontextprotocol/protocolVersion': ALONE,
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** Milliseconds that an awaited text may take. */
const PATIENCE = 20_000;

/** A JSON-RPC message without its version. */
export type Message = Readonly<Record<string, unknown>>;

/** A response that is still being read. */
export interface OpenResponse {
  /** Resolves when the text since the last `skip` has this pattern; with what it matched. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Forgets the text so far. */
  skip(): void;
  /** Breaks the connection. */
  cut(): void;
}

/** What a request has beside its instance and method. */
interface Sent {
  readonly session?: string;
  readonly message?: Message;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests over connections that stay open. */
export class FleetClient {
  readonly #agent = new Agent({ keepAlive: true });

  /** @param ports of the instances */
  constructor(private readonly ports: readonly number[]) {}

  /** Opens a session at an instance. Returns its id. */
  async open(instance: number): Promise<string> {
    const params = {
      protocolVersion: REVISION,
      capabilities: { elicitation: {}, roots: {} },
      clientInfo: CLIENT,
    };
    const response = await this.#send(instance, 'POST', { message: { id: 0, method: 'initialize', params } });
    await textOf(response);
    const session = String(response.headers['mcp-session-id']);
    await this.post(instance, session, { method: 'notifications/initialized' });
    return session;
  }

  /** Posts a message, and reads the whole answer. */
  async post(instance: number, session: string, message: Message): Promise<string> {
    return textOf(await this.#send(instance, 'POST', { session, message }));
  }

  /** Calls a tool as clients of 2026-07-28 do, which have no session. */
  async callAlone(instance: number, name: string, args: object): Promise<string> {
    const headers = { 'mcp-protocol-version': ALONE, 'mcp-method': 'tools/call', 'mcp-name': name };
    const message = { id: 1, method: 'tools/call', params: { name, arguments: args, _meta: META } };
    return textOf(await this.#send(instance, 'POST', { message, headers }));
  }

  /** Posts a request whose answer is not waited for. */
  begin(instance: number, session: string, message: Message): OpenResponse {
    return opened(this.#send(instance, 'POST', { session, message }));
  }

  /** Opens the stream of changes of a session, or continues it after an event. */
  listen(instance: number, session: string, after?: string): OpenResponse {
    const headers = after === undefined ? {} : { 'last-event-id': after };
    return opened(this.#send(instance, 'GET', { session, headers }));
  }

  /** Ends a session. */
  async end(instance: number, session: string): Promise<void> {
    await textOf(await this.#send(instance, 'DELETE', { session }));
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(instance: number, method: string, { session, message, headers }: Sent): Promise<IncomingMessage> {
    const port = this.ports[instance % this.ports.length];
    const all = {
      accept: method === 'GET' ? 'text/event-stream' : ACCEPT,
      ...(message && { 'content-type': 'application/json' }),
      ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': REVISION }),
      ...headers,
    };
    const options = { host: '127.0.0.1', port, path: '/mcp', method, headers: all, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        if ((response.statusCode ?? 0) < 300) return resolve(response);
        void textOf(response).then(
          (text) => reject(new Error(`${method} was answered with ${response.statusCode}: ${text}`)),
          reject,
        );
      });
      sent.on('error', reject).end(message && JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part as string;
  if (/"isError":true|"error":\{/.test(text)) throw new Error(text);
  return text;
}

/** The head of a response may come with its first event only. */
function opened(sent: Promise<IncomingMessage>): OpenResponse {
  const state = { text: '', looks: new Set<() => void>(), cut: (): void => undefined };
  void sent.then(
    (response) => {
      state.cut = () => void response.destroy();
      response.on('error', () => undefined);
      response.setEncoding('utf8').on('data', (part: string) => {
        state.text += part;
        for (const look of state.looks) look();
      });
    },
    (error: unknown) => (state.text = String(error)),
  );
  return {
    until: (pattern) => untilFound(state, pattern),
    skip: () => (state.text = ''),
    cut: () => state.cut(),
  };
}

function untilFound(state: { readonly text: string; readonly looks: Set<() => void> }, pattern: RegExp) {
  return new Promise<RegExpExecArray>((resolve, reject) => {
    const late = setTimeout(() => {
      state.looks.delete(look);
      reject(new Error(`${String(pattern)} did not come; this did: ${state.text.slice(-300)}`));
    }, PATIENCE);
    const look = (): void => {
      const found = pattern.exec(state.text);
      if (!found) return;
      clearTimeout(late);
      state.looks.delete(look);
      resolve(found);
    };
    state.looks.add(look);
    look();
  });
}
