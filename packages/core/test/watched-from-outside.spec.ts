/** A tool that started the program watches its servers: it adds observers, and receives the errors that clients do not see. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from '@sigil-mcp/testing';
import { IsInt, IsString } from 'class-validator';
import {
  createServer,
  Feature,
  McpContext,
  Tool,
  ToolFailure,
  UseInterceptors,
  type Call,
  type Interceptor,
  type Observer,
} from '../src';

@Feature()
class Disk {
  @Tool('Fills the disk')
  fill(): string {
    throw new RangeError('the disk is full');
  }
}

const OBSERVE = 'sigil:server:observe';
const MASKED = 'sigil:error:masked';

it('adds the observers of a tool to a server, and announces its masked errors with the id that clients receive', async () => {
  const methods: string[] = [];
  const masked: unknown[] = [];
  const add = (message: unknown): void => {
    const { observers } = message as { observers: Observer[] };
    observers.push({ requestStarted: ({ method }) => void methods.push(method) });
  };
  const note = (message: unknown): void => void masked.push(message);
  subscribe(OBSERVE, add);
  subscribe(MASKED, note);
  try {
    const client = await connect(createServer({ name: 'disk', version: '1.0.0', features: [Disk], logger: false }));
    const { content } = await client.callTool('fill');
    expect(methods).toContain('tools/call');
    expect(masked).toEqual([
      { errorId: expect.any(String), method: 'tools/call', entry: 'fill', error: new RangeError('the disk is full') },
    ]);
    expect(JSON.stringify(content)).toContain((masked[0] as { errorId: string }).errorId);
    await client.close();
  } finally {
    unsubscribe(OBSERVE, add);
    unsubscribe(MASKED, note);
  }
});

it('has no observers without a tool', async () => {
  const client = await connect(createServer({ name: 'disk', version: '1.0.0', features: [Disk], logger: false }));
  expect(JSON.stringify(await client.callTool('fill'))).toContain('Internal error (id ');
  await client.close();
});

describe('the stages of calls', () => {
  class Length {
    @IsString() text!: string;
  }
  class Measured {
    @IsInt() length!: number;
  }
  class Trace implements Interceptor {
    intercept(_call: Call, next: () => Promise<unknown>): Promise<unknown> {
      return next();
    }
  }
  @Feature()
  class Texts {
    @UseInterceptors(Trace)
    @Tool('Measures a text', { concurrency: 1 })
    async measure({ text }: Length): Promise<Measured> {
      if (text === '') throw new ToolFailure('empty');
      await Promise.resolve();
      return { length: text.length };
    }
  }
  class All implements Interceptor {
    intercept(_call: Call, next: () => Promise<unknown>): Promise<unknown> {
      return next();
    }
  }
  const serverWith = (observer: Observer) =>
    createServer({
      ...{ name: 'texts', version: '1.0.0', logger: false as const, observers: [observer] },
      ...{ features: [Texts], interceptors: [All], providers: [Trace, All] },
    });

  it.each(['a text', ''])('are reported in their order and within each other, for the text %j', async (text) => {
    const seen: string[] = [];
    const observer: Observer = {
      watchesStages: true,
      requestStarted: ({ method }) =>
        method === 'tools/call'
          ? {
              stage: (name) => {
                seen.push(name);
                return () => void seen.push(`/${name}`);
              },
            }
          : undefined,
    };
    const client = await connect(serverWith(observer));
    await client.callTool('measure', { text });
    const order = ['interceptor All', 'arguments', 'queue', 'output', 'interceptor Trace', 'handler'];
    expect(seen).toEqual([...order, ...[...order].reverse().map((name) => `/${name}`)]);
    await client.close();
  });

  it('include what once has kept in an earlier round', async () => {
    @Feature()
    class Orders {
      @Tool('Orders a book')
      async order(context: McpContext): Promise<string> {
        const number = await context.once('reserve', () => 7);
        const { action } = await context.elicit(Length, 'Sure?');
        return `${number} ${action}`;
      }
    }
    const seen: string[] = [];
    const observer: Observer = {
      requestStarted: () => ({ once: (key, isKept) => void seen.push(`${key} ${isKept}`) }),
    };
    const server = createServer({
      name: 'x',
      version: '1.0.0',
      logger: false,
      features: [Orders],
      observers: [observer],
    });
    const client = await connect(server, { answers: () => ({ action: 'accept', content: { text: 'yes' } }) });
    expect((await client.callTool('order', {})).content).toMatchObject([{ text: '7 accept' }]);
    expect(seen).toEqual(['reserve false', 'reserve true']);
    await client.close();
  });

  it('are not reported to an observer that does not ask for them', async () => {
    const seen: string[] = [];
    const observer: Observer = { requestStarted: () => ({ stage: (name) => void seen.push(name) }) };
    const client = await connect(serverWith(observer));
    await client.callTool('measure', { text: 'a text' });
    expect(seen).toEqual([]);
    await client.close();
  });
});
