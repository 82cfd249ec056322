/**
 * A server with every extension on that keeps something for clients, over HTTP. `LIMITS` is JSON for `createServer({ limits })`, and
 * `ENDPOINT_LIMITS` for the transport.
 */
import 'reflect-metadata';
import { createServer, Feature, McpContext, Resource, Tool } from '@sigil-mcp/core';
import { audit } from '@sigil-mcp/audit';
import { HttpTransport } from '@sigil-mcp/fastify';
import { telemetry } from '@sigil-mcp/otel';
import { resultBudgets } from '@sigil-mcp/results';
import { tasks } from '@sigil-mcp/tasks';
import { codeToolset } from '@sigil-mcp/toolsets/code';
import { IsInt, IsOptional, IsString } from 'class-validator';

class Word {
  @IsString() word!: string;
}
class Size {
  @IsInt() size: number = 1;
  @IsOptional() @IsString() padding?: string;
}
class Jar {
  @IsString() jar!: string;
}

const untilCancelled = ({ signal }: McpContext): Promise<string> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

@Feature()
class Pantry {
  @Tool('Says a word')
  echo({ word }: Word): string {
    return word;
  }

  @Tool('Waits until its client leaves')
  wait(context: McpContext): Promise<string> {
    return untilCancelled(context);
  }

  @Tool('Writes a text, and tells its progress')
  async write({ size }: Size, context: McpContext): Promise<string> {
    await context.progress(1, 2, 'half');
    return 'w'.repeat(size);
  }

  @Tool('Cooks until it is cancelled', { task: 'optional' })
  cook(_size: Size, context: McpContext): Promise<string> {
    return untilCancelled(context);
  }

  @Tool('Bakes a text', { task: 'optional' })
  bake({ size }: Size): string {
    return 'b'.repeat(size);
  }

  @Tool('Asks twice', { task: 'optional' })
  async ask(context: McpContext): Promise<string> {
    const form = { type: 'object', properties: { text: { type: 'string' } } } as const;
    const first = await context.elicit(form, 'What?', { key: 'what' });
    const second = await context.elicit(form, 'And then?', { key: 'then' });
    return `${first.action} ${second.action}`;
  }

  @Tool('Keeps a text, and waits until its client leaves')
  async keep({ size }: Size, context: McpContext): Promise<string> {
    await context.once('kept', () => Buffer.alloc(size, 'k').toString('latin1'));
    return untilCancelled(context);
  }

  @Tool('Returns more than its budget', { budget: 1000 })
  pour({ size }: Size): string {
    return 'p '.repeat(size / 2);
  }

  @Resource('jar://{jar}')
  read({ jar }: Jar): string {
    return jar;
  }
}

const SECRET = 'a secret for the programs of this folder, and for nothing else';
const named = (name: string): object => JSON.parse(process.env[name] ?? '{}') as object;

const server = createServer({
  name: 'pantry',
  version: '1.0.0',
  features: [Pantry],
  limits: named('LIMITS'),
  requestState: { secrets: [SECRET] },
  extensions: [
    resultBudgets(),
    tasks({ limits: { tasks: 100_000, tasksPerClient: 100_000, polls: { calls: 1e9, per: 'second' } } }),
    codeToolset({ always: ['echo', 'wait', 'write', 'cook', 'bake', 'ask', 'keep', 'pour'] }),
  ],
  // Its sink never takes anything.
  observers: [audit({ secret: SECRET, sink: { write: () => new Promise<void>(() => undefined) } }), telemetry()],
});
const transport = new HttpTransport({ health: { memory: true }, limits: named('ENDPOINT_LIMITS') });
void server.listen(transport);
