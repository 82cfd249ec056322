/** Faults that other implementations of the protocol were published for, tried here; docs/vulnerabilities.md has the list. */
import { createServer, Feature, McpContext, MemoryTransport, Tool, type Call, type Guard } from '@sigil-mcp/core';
import { UseGuards } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { Caller } from '@sigil-mcp/core/adapter';
import { IsString } from 'class-validator';

class Word {
  @IsString() word!: string;
}

/** What the guard of a tool has seen of its arguments. */
const judged: unknown[] = [];
const sees: Guard = {
  allows: () => true,
  allowsCall: (call: Call) => {
    judged.push(call.arguments);
    return true;
  },
};

@Feature()
class Tools {
  @UseGuards(sees)
  @Tool('Says it again')
  echo({ word }: Word): string {
    return word;
  }

  @Tool('Says who calls, after a while, and tells its progress')
  async whoami(context: McpContext): Promise<string> {
    await context.progress(1, 2, `for ${context.caller.id}`);
    await new Promise((resolve) => setImmediate(resolve));
    return `${context.caller.id}`;
  }
}

const META = '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}';

describe('members of a message', () => {
  /** What a server without manners of its own answers to a text. */
  async function answersTo(
    ...texts: string[]
  ): Promise<{ id?: unknown; result?: unknown; error?: { code: number } }[]> {
    const server = createServer({ name: 'keys', version: '1.0.0', features: [Tools], logger: false });
    const transport = new MemoryTransport();
    await server.listen(transport);
    const heard: { id?: unknown }[] = [];
    const pipe = transport.connect((text) => void heard.push(JSON.parse(text) as { id?: unknown }));
    for (const text of texts) pipe.send(text);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await server.close();
    return heard;
  }

  it.each([
    ['Method', '{"jsonrpc":"2.0","id":1,"Method":"tools/list"}'],
    ['METHOD', '{"jsonrpc":"2.0","id":1,"METHOD":"tools/list"}'],
    ['JsonRpc', '{"JsonRpc":"2.0","id":1,"method":"tools/list"}'],
    ['paramſ', `{"jsonrpc":"2.0","id":1,"method":"tools/list","param\u017f":{"_meta":{${META}}}}`],
    ['Params', `{"jsonrpc":"2.0","id":1,"method":"tools/list","Params":{"_meta":{${META}}}}`],
    ['_Meta', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_Meta":{${META}}}}`],
  ])('count by their exact names: %s is not a valid one', async (_name, text) => {
    const [answer] = await answersTo(text);
    expect(answer).toMatchObject({ error: { code: expect.any(Number) as number } });
    expect(answer).not.toHaveProperty('result');
  });

  it('that are sent twice are read once: guard and handler get the same value', async () => {
    judged.length = 0;
    const call = (args: string, name = '"name":"echo"'): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${name},"arguments":{${args}},"_meta":{${META}}}}`;
    const twice = await answersTo(call('"word":"harmless","word":"meant"'), call('"word":"x","Word":"y"'));
    expect(twice).toMatchObject([{ result: { content: [{ text: 'meant' }] } }, { result: { isError: true } }]);
    expect(judged[0]).toEqual({ word: 'meant' });
    expect(await answersTo(call('"word":"a"', '"name":"whoami","name":"echo"'))).toMatchObject([
      { result: { content: [{ text: 'a' }] } },
    ]);
  });
});

describe('clients of one server who all use the same ids', () => {
  it('each receive their own answers and their own progress', async () => {
    const transport = new HttpTransport({
      port: 0,
      handleSignals: false,
      auth: { verify: (token) => new Caller({ id: token }) },
    });
    const server = createServer({ name: 'crowd', version: '1.0.0', features: [Tools], logger: false });
    await server.listen(transport);
    const url = transport.url ?? '';
    const call = async (user: string): Promise<string> => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${user}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'whoami',
      };
      const body = `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"whoami","arguments":{},"_meta":{${META},"progressToken":0}}}`;
      return (await fetch(url, { method: 'POST', headers, body })).text();
    };
    for (let round = 0; round < 20; round += 1) {
      const users = Array.from({ length: 50 }, (_, index) => `user-${round}-${index}-end`);
      const texts = await Promise.all(users.map(call));
      for (const [index, text] of texts.entries()) {
        const named = new Set(text.match(/user-\d+-\d+-end/g));
        expect([...named]).toEqual([users[index]]);
      }
    }
    await server.close();
  }, 60_000);
});
