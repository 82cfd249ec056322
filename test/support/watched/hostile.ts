/**
 * A server with everything in it that a client could lean on: handlers that are slow, throw, log, ask, tell, change and return
 * much. Over stdio, over HTTP with `--http`, and in memory with `--memory`, where the channel of the process is the pipe; with
 * `--observed`, audit and telemetry watch it.
 */
import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
// prettier-ignore
import {
  Complete, Denial, Feature, ListTemplate, McpContext, McpHeader, MemoryTransport, Prompt, Resource, Server, ServerRegistry,
  Tool, UseGuards, createServer, image, text, type Guard, type ListedResource, type MemoryPipe,
} from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { audit } from '@sigil-mcp/audit';
import { HttpTransport } from '@sigil-mcp/fastify';
import { telemetry } from '@sigil-mcp/otel';
import { Type } from 'class-transformer';
// prettier-ignore
import {
  ArrayMaxSize, IsArray, IsBoolean, IsEmail, IsIn, IsInt, IsNumber, IsOptional, IsString, Length, Matches, Max, Min,
  ValidateNested,
} from 'class-validator';

class Word {
  @IsString() word!: string;
}
class Pause {
  @IsInt() @Min(0) @Max(120) milliseconds: number = 20;
}
class Amount {
  @IsInt() @Min(0) @Max(64) count: number = 3;
}
class Point {
  @IsNumber() x!: number;
  @IsNumber() y: number = 0;
}
class Shape {
  @IsString() @Length(1, 20) @Matches(/^[a-z]+$/u) name!: string;
  @IsIn(['red', 'green']) color: string = 'red';
  @IsArray() @ArrayMaxSize(4) @ValidateNested({ each: true }) @Type(() => Point) points!: Point[];
  @IsOptional() @IsBoolean() filled?: boolean;
}
class Routed {
  @McpHeader('Region') @IsString() @Length(0, 50) region!: string;
}
class Form {
  @IsEmail() email!: string;
  @IsInt() @Min(1) @Max(9) count: number = 2;
  @IsBoolean() sure: boolean = true;
}
class Key {
  @IsString() @Length(1, 40) key!: string;
}

const BAD_CHALLENGE = 'Bearer realm="one\r\nX-Injected: two"';
const refuse: Guard = {
  allows: () => true,
  allowsCall: async () => new Denial('Not you.', { status: 401, challenge: BAD_CHALLENGE }),
};

@Feature()
class Hostile {
  #added = 0;

  constructor(
    private readonly registry: ServerRegistry,
    private readonly server: Server,
  ) {}

  @Tool('Says it again')
  echo({ word }: Word): string {
    return word;
  }

  @Tool('Draws a shape', { output: Shape })
  draw(shape: Shape): Shape {
    return shape;
  }

  @Tool('Answers late')
  async sleep({ milliseconds }: Pause, { signal }: McpContext): Promise<string> {
    await delay(milliseconds, undefined, { signal });
    return 'slept';
  }

  @Tool('Waits until it is cancelled')
  async wait({ signal }: McpContext): Promise<string> {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    return 'never read';
  }

  @Tool('Throws')
  fail(): string {
    throw new Error('the secret reason');
  }

  @Tool('Rejects with nothing')
  reject(): Promise<string> {
    return Promise.reject(undefined);
  }

  @Tool('Leaves a rejected promise behind')
  forget(): string {
    void Promise.reject(new Error('nobody waits for me'));
    return 'returned';
  }

  @Tool('Returns a cycle')
  cycle(): object {
    const ring: { self?: object } = {};
    ring.self = ring;
    return ring;
  }

  @Tool('Returns what JSON has no word for')
  count(): object {
    return { count: 1n };
  }

  @Tool('Returns half a character')
  half({ word }: Word): unknown {
    return [text(`\ud83d${word}\udc00`), image(Buffer.alloc(10), 'image/png')];
  }

  @Tool('Returns kilobytes')
  big({ count }: Amount): string {
    return '\u2028y\n'.repeat(count * 256);
  }

  @Tool('Returns megabytes')
  huge({ count }: Amount): string {
    return 'y'.repeat(count * 1024 * 1024);
  }

  @Tool('Logs lines')
  loud({ count }: Amount, { log }: McpContext): string {
    for (let line = 0; line < count; line++) log.info('x'.repeat(1000), { line });
    return 'said';
  }

  @Tool('Reports progress')
  async report({ count }: Amount, context: McpContext): Promise<string> {
    for (let step = 1; step <= count; step++) await context.progress(step, count, 'on the way');
    return 'done';
  }

  @Tool('Reports progress until nobody listens')
  async flood(context: McpContext): Promise<string> {
    const message = 'z'.repeat(16 * 1024);
    for (let step = 1; !context.signal.aborted; step++) {
      await context.progress(step, undefined, message);
      if (step % 16 === 0) await delay(1);
    }
    return 'never read';
  }

  @Tool('Prints where it should not')
  print({ word }: Word): string {
    console.log(word);
    return 'printed';
  }

  @Tool('Lets its connection go')
  async release(context: McpContext): Promise<string> {
    context.releaseStream();
    await delay(30, undefined, { signal: context.signal });
    return 'released';
  }

  @Tool('Takes an argument that is in a header, too')
  routed({ region }: Routed): string {
    return region;
  }

  @Tool('Is refused')
  @UseGuards(refuse)
  refused(): void {}

  @Tool('Asks the user')
  async ask(context: McpContext): Promise<string> {
    return JSON.stringify(await context.elicit(Form, 'Is it you?'));
  }

  @Tool('Asks the user twice, the model and for the roots')
  async askMuch(context: McpContext): Promise<string> {
    const first = await context.elicit(Form, 'Is it you?', { key: 'first' });
    const begun = await context.once('begun', () => first.action);
    const [model, roots] = await Promise.all([
      context.sample('Say something.', { maxTokens: 10, key: 'model' }),
      context.roots({ key: 'roots' }),
    ]);
    return `${begun} ${model.text} ${roots.length}`;
  }

  @Tool('Adds a tool and takes another away')
  change(): string {
    const number = this.#added++;
    // A schema of its own each time: what is compiled for it has to go with it.
    const input = { type: 'object', properties: { [`of-${number}`]: { type: 'string', maxLength: 5 } } } as const;
    this.registry.add({ kind: 'tool', name: `added-${number}`, description: 'New', input, handler: () => 'new' });
    this.registry.remove('tool', `added-${number - 3}`);
    this.server.notifyResourceChanged('hostile://here');
    return 'changed';
  }

  @Resource('hostile://here')
  here(): string {
    return 'here';
  }

  @Resource('hostile://broken')
  broken(): string {
    throw new Error('the secret reason');
  }

  @Resource('hostile://things/{key}', { mimeType: 'application/json' })
  thing({ key }: Key): object {
    return { key };
  }

  @ListTemplate('thing')
  things(): ListedResource[] {
    return ['a', 'b'].map((key) => ({ variables: { key }, name: key }));
  }

  @Complete('key', 'thing')
  keys(typed: string): string[] {
    if (typed.length > 30) throw new Error('too long for me');
    return ['one', 'two', 'three'].filter((key) => key.startsWith(typed));
  }

  @Prompt('Repeats a word')
  repeat({ word }: Word): string {
    return word;
  }

  @Prompt('Asks before it says anything')
  async curious(context: McpContext): Promise<string> {
    return (await context.elicit(Form, 'What is it about?', { key: 'about' })).action;
  }

  @Complete('word', 'repeat')
  async words(typed: string): Promise<string[]> {
    await turn();
    return [typed, `${typed}s`];
  }
}

const server = createServer({
  name: 'hostile',
  version: '1.0.0',
  features: [Hostile],
  logger: 'error',
  observers: process.argv.includes('--observed')
    ? [audit({ secret: 's'.repeat(32), sink: { write: () => undefined } }), telemetry()]
    : [],
  answerTimeout: 3000,
  shutdownDeadline: 1000,
});

async function listen(): Promise<void> {
  if (process.argv.includes('--memory')) return listenInMemory();
  if (!process.argv.includes('--http')) return server.listen(new StdioTransport());
  const transport = new HttpTransport({
    port: 0,
    host: '127.0.0.1',
    keepAliveInterval: 200,
    retryInterval: 10,
    sessions: { idleTime: 2000 },
  });
  await server.listen(transport);
  process.stderr.write(`listening on ${transport.url}\n`);
}

/** What travels over the channel: which client, and what it sends; or that it leaves. */
type Parcel = { readonly pipe: number; readonly text?: string; readonly close?: boolean };

async function listenInMemory(): Promise<void> {
  const transport = new MemoryTransport();
  await server.listen(transport);
  const pipes = new Map<number, MemoryPipe>();
  const tell = (parcel: object): void => void process.send?.(parcel);
  process.on('message', ({ pipe, text: said, close }: Parcel) => {
    if (pipe === undefined) return;
    const opened = pipes.get(pipe) ?? transport.connect((answer) => tell({ pipe, text: answer }));
    pipes.set(pipe, opened);
    try {
      if (said !== undefined) opened.send(said);
    } catch (error) {
      tell({ pipe, thrown: String(error) });
    }
    if (!close) return;
    opened.close();
    pipes.delete(pipe);
    tell({ pipe, closed: true });
  });
  // Nobody owns the process as the other transports do.
  process.on('unhandledRejection', () => undefined);
  // The channel is the pipe here: the process lives as long as it is open.
  process.channel?.ref();
  process.stderr.write('ready in memory\n');
}

void listen();
