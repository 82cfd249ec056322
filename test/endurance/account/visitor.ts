/** One client at an address of its own, which is counted by itself. */
import { Agent, request, type IncomingMessage } from 'node:http';
import { TASKS } from '@sigil-mcp/tasks';

/** What a request was answered with. */
export interface Reply {
  /** 0 if the connection was cut off. */
  readonly status: number;
  readonly text: string;
  readonly session: string | undefined;
}

const NEWEST = '2026-07-28';
/** The last revision with sessions. */
const WITH_SESSIONS = '2025-11-25';
const CAPABILITIES = { elicitation: { form: {} }, extensions: { [TASKS]: {} } };
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
};

/** Sends requests, and remembers the limits that refused one of them. */
export class Visitor {
  /** The names of the limits in refusals. */
  readonly limits = new Set<string>();
  /** Requests that are neither answered nor refused yet. */
  open = 0;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 2000 });
  #last = 0;

  constructor(
    private readonly url: URL,
    private readonly address: string,
  ) {}

  /** A method of the newest revision, which stands alone. */
  ask(method: string, params: Record<string, unknown>, isRead = true): Promise<Reply> {
    const name = params['name'] ?? params['taskId'];
    const headers = {
      'mcp-protocol-version': NEWEST,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    };
    return this.#post(
      { method, params: { ...params, _meta: { ...META, ...(params['_meta'] as object) } } },
      headers,
      isRead,
    );
  }

  /** A call of a tool. */
  call(name: string, args: object = {}, isRead = true): Promise<Reply> {
    return this.ask('tools/call', { name, arguments: args }, isRead);
  }

  /** The same method in a session. */
  within(session: string, method: string, params: object, isRead = true): Promise<Reply> {
    const headers = { 'mcp-protocol-version': WITH_SESSIONS, 'mcp-session-id': session };
    return this.#post({ method, params }, headers, isRead);
  }

  /** Opens a session. @param facts what the client says of itself */
  async meet(facts: object = {}): Promise<Reply> {
    const params = {
      protocolVersion: WITH_SESSIONS,
      capabilities: facts,
      clientInfo: { name: 'hoarder', version: '1' },
    };
    return this.#post({ method: 'initialize', params }, {}, true);
  }

  /** Opens the stream of a session, and leaves it open. */
  listen(session: string): Promise<Reply> {
    return this.#send('GET', { accept: 'text/event-stream', 'mcp-session-id': session }, undefined, false);
  }

  /** Begins a body that never ends. */
  begin(bytes: number): Promise<Reply> {
    const headers = { ...this.#headers, 'content-length': `${bytes + 1}`, 'mcp-protocol-version': NEWEST };
    return this.#send('POST', headers, Buffer.alloc(bytes, 0x20), true, true);
  }

  leave(): void {
    this.#agent.destroy();
  }

  get #headers(): Record<string, string> {
    return { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  }

  #post(message: object, headers: Record<string, string>, isRead: boolean): Promise<Reply> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: (this.#last += 1), ...message }));
    return this.#send('POST', { ...this.#headers, ...headers }, body, isRead);
  }

  #send(
    method: string,
    headers: Record<string, string>,
    body: Buffer | undefined,
    isRead: boolean,
    isUnfinished = false,
  ): Promise<Reply> {
    this.open += 1;
    return new Promise<Reply>((resolve) => {
      const settle = (reply: Reply): void => {
        this.open -= 1;
        for (const [name] of reply.text.matchAll(/(?:tasks\.)?limits\.\w+/g)) this.limits.add(name);
        resolve(reply);
      };
      const options = { method, headers, localAddress: this.address, agent: this.#agent };
      const sent = request(this.url, options, (response) => {
        // What is not read is only its body: a refusal is.
        if (isRead || response.statusCode !== 200) void read(response).then(settle);
        else settle({ status: 200, text: '', session: undefined });
      });
      sent.on('error', () => settle({ status: 0, text: '', session: undefined }));
      if (isUnfinished) sent.write(body);
      else sent.end(body);
    });
  }
}

async function read(response: IncomingMessage): Promise<Reply> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of response) pieces.push(piece as Buffer);
  } catch {
    // Cut off: what came counts.
  }
  const session = response.headers['mcp-session-id'];
  return {
    status: response.statusCode ?? 0,
    text: Buffer.concat(pieces).toString(),
    session: typeof session === 'string' ? session : undefined,
  };
}
