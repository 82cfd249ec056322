/** Clients that do everything which a dashboard shows: calls that work, fail and are refused, questions, sessions, streams. */
import { connect, type AnswerQuestion, type TestClient } from '@sigil-mcp/testing';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const CLIENT = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'busy', version: '1' } };

const COMPLETION = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'tone', value: 'w' } };

/** Milliseconds that the tools and the user take in a round. */
export interface Pauses {
  readonly forecast: number;
  readonly report: number;
  readonly answer: () => Promise<void>;
}

/** Two clients, one of each kind of revision, a stream, and a call that runs. */
export class BusyClients {
  private constructor(
    private readonly url: string,
    private readonly clients: readonly TestClient[],
    private readonly stream: AbortController,
    private readonly pauses: () => Pauses,
  ) {}

  static async open(url: string, pauses: () => Pauses): Promise<BusyClients> {
    const answers: AnswerQuestion = async () => {
      await pauses().answer();
      return { action: 'accept', content: { sure: true } };
    };
    const revisions = ['2025-11-25', '2026-07-28'];
    const clients = await Promise.all(revisions.map((revision) => connect(url, { revision, answers })));
    clients[0]?.start('tools/call', { name: 'wait', arguments: {} }).result.catch(() => undefined);
    const stream = new AbortController();
    const session = await handshake(url);
    await fetch(url, { headers: { ...session, accept: 'text/event-stream' }, signal: stream.signal });
    return new BusyClients(url, clients, stream, pauses);
  }

  /** Calls that work. */
  async work(): Promise<void> {
    const { forecast, report } = this.pauses();
    await Promise.all(
      this.clients.flatMap((client) => [
        client.callTool('forecast', { ms: forecast }),
        client.callTool('report', { ms: report }),
      ]),
    );
  }

  /** Everything once. */
  async round(): Promise<void> {
    await Promise.all([
      this.work(),
      ...this.clients.flatMap((client) => [
        client.callTool('pay'),
        client.getPrompt('greet', { tone: 'warm' }),
        client.request('completion/complete', COMPLETION).catch(() => undefined),
        client.callTool('alert'),
        ...['crash', 'rare', 'unknown'].map((name) => client.callTool(name).catch(() => undefined)),
        client.callTool('forecast', { ms: 'long' }).catch(() => undefined),
      ]),
      this.#comesAndGoes(),
      post(this.url, '['.repeat(100)),
      post(this.url, '{"jsonrpc":'),
      post(this.url, { jsonrpc: '2.0', id: 1, method: 'ping', params: nested(50) }),
    ]);
  }

  async close(): Promise<void> {
    this.stream.abort();
    await Promise.all(this.clients.map((client) => client.close()));
  }

  async #comesAndGoes(): Promise<void> {
    const session = await handshake(this.url);
    await fetch(this.url, { method: 'DELETE', headers: session });
  }
}

function nested(depth: number): object {
  return depth === 0 ? {} : { inner: nested(depth - 1) };
}

async function post(url: string, body: unknown): Promise<Headers> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(url, { method: 'POST', headers: HEADERS, body: text });
  await answer.arrayBuffer();
  return answer.headers;
}

async function handshake(url: string): Promise<Record<string, string>> {
  const headers = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params: CLIENT });
  return { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' };
}
