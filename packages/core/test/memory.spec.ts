/** The memory transport, and any transport that somebody writes against the same port. */
import { Feature, MemoryTransport, Tool, createServer, type Transport } from '@sigil-mcp/core';
import { DuplexChannel, type TransportHost } from '@sigil-mcp/core/adapter';

@Feature()
class Echo {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }
}

const request = (id: number, method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const echo = () => createServer({ name: 'echo', version: '1.0.0', features: [Echo], logger: false });

/** A transport of somebody else: messages in a list. */
class ListTransport implements Transport {
  readonly written: string[] = [];
  #channel: DuplexChannel | undefined;

  open({ kernel }: TransportHost): Promise<void> {
    this.#channel = new DuplexChannel(kernel, (text) => void this.written.push(text));
    return Promise.resolve();
  }

  receive(text: string): void {
    this.#channel?.receive(text);
  }

  async close(): Promise<void> {
    await this.#channel?.drain();
  }
}

describe('the memory transport', () => {
  it('gives each client a conversation of its own [BASE-030]', async () => {
    const transport = new MemoryTransport();
    await echo().listen(transport);
    const [one, other]: [string[], string[]] = [[], []];
    const first = transport.connect((text) => void one.push(text));
    const second = transport.connect((text) => void other.push(text));
    first.send(request(1, 'initialize', HELLO));
    second.send(request(1, 'tools/list'));
    expect(one[0]).toContain('"protocolVersion":"2025-11-25"');
    expect(other[0]).toContain('-32600');
  });

  it('takes nothing from a client that hung up, and none before the server listens', async () => {
    const transport = new MemoryTransport();
    expect(() => transport.connect(() => undefined)).toThrow('server.listen');
    const server = echo();
    await server.listen(transport);
    const texts: string[] = [];
    const pipe = transport.connect((text) => void texts.push(text));
    pipe.close();
    pipe.send(request(1, 'ping'));
    expect(texts).toEqual([]);
    await server.close();
    await expect(server.listen(transport)).rejects.toThrow('closed');
  });
});

it('a transport of somebody else needs a way out and nothing more [STDIO-007]', async () => {
  const transport = new ListTransport();
  const server = echo();
  await server.listen(transport);
  transport.receive(request(1, 'initialize', HELLO));
  transport.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  transport.receive(request(2, 'tools/call', { name: 'hello' }));
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  transport.receive(request(3, 'tools/call', { name: 'hello', _meta }));
  await server.close();
  const messages = transport.written.map((text) => JSON.parse(text) as { id: number; result: object });
  expect(messages.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(messages[1]?.result).toEqual({ content: [{ type: 'text', text: 'hello' }], isError: false });
  expect(messages[2]?.result).toMatchObject({ resultType: 'complete' });
});

it.each<[string, (text: string) => void | Promise<void>]>([
  [
    'throws',
    () => {
      throw new Error('The socket is closed.');
    },
  ],
  ['rejects', () => Promise.reject(new Error('The socket is closed.'))],
])('a way out that %s ends its client, and nothing else', async (_how, write) => {
  const rejected = jest.fn();
  process.on('unhandledRejection', rejected);
  const server = echo();
  let channel: DuplexChannel | undefined;
  await server.listen({
    open: async ({ kernel }) => void (channel = new DuplexChannel(kernel, write)),
    close: async () => channel?.drain(),
  });
  expect(() => channel?.receive(request(1, 'ping'))).not.toThrow();
  channel?.receive(request(2, 'initialize', HELLO));
  channel?.receive('no JSON');
  await new Promise(setImmediate);
  await server.close();
  process.off('unhandledRejection', rejected);
  expect(rejected).not.toHaveBeenCalled();
});

it('an answer that has no room in its batch says so, and takes none from the others', async () => {
  @Feature()
  class Lengths {
    @Tool('Is long') long(): string {
      return 'x'.repeat(5000);
    }
    @Tool('Is short') short(): string {
      return 'y';
    }
  }
  const limits = { batchAnswer: 1000 };
  const server = createServer({ name: 'lengths', version: '1.0.0', features: [Lengths], limits, logger: false });
  const transport = new MemoryTransport();
  await server.listen(transport);
  const texts: string[] = [];
  const pipe = transport.connect((text) => void texts.push(text));
  pipe.send(request(0, 'initialize', { ...HELLO, protocolVersion: '2025-03-26' }));
  const call = (id: number, name: string): string => request(id, 'tools/call', { name, arguments: {} });
  pipe.send(`[${call(1, 'long')},${call(2, 'short')},${call(3, 'short')}]`);
  await new Promise(setImmediate);
  expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject([
    { id: 1, error: { code: -32603, message: expect.stringContaining('limits.batchAnswer') as string } },
    { id: 2, result: { content: [{ text: 'y' }] } },
    { id: 3, result: { content: [{ text: 'y' }] } },
  ]);
  await server.close();
});
