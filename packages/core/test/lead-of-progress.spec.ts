/** A result follows the progress of its call, and does not arrive with it: official clients would then not hear of the progress. */
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Client as Sdk1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport as Sdk1Transport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ManualClock } from '@sigil-mcp/testing';
import { z } from 'zod';
import { createServer, tool } from '../src';
import { StdioTransport } from '../src/transports/stdio/stdio-transport';
import { turn } from '../../../test/support/turn';
import { until } from '../../../test/support/until';

const CALLS = 1000;
const AT_ONCE = 64;

const input = z.object({ steps: z.number() });
const count = tool('count', { description: 'Reports each step', input }, async ({ steps }, context) => {
  for (let step = 1; step <= steps; step += 1) await context.progress(step, steps);
  return 'done';
});

async function open() {
  const clock = new ManualClock();
  const server = createServer({ name: 'steps', version: '1', features: [count], logger: false, clock });
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  await server.listen(new StdioTransport({ input: toServer, output: toClient }));
  return { server, clock, toServer, toClient };
}

describe('the last progress of a call', () => {
  type Listener = { onprogress: () => void };
  const official = {
    'client 2': async (input: PassThrough, output: PassThrough) => {
      const client = new Client({ name: 'two', version: '1' });
      await client.connect(new StdioServerTransport(input, output));
      return (steps: number, listener: Listener) => client.callTool({ name: 'count', arguments: { steps } }, listener);
    },
    'SDK 1': async (input: PassThrough, output: PassThrough) => {
      const client = new Sdk1Client({ name: 'one', version: '1' });
      await client.connect(new Sdk1Transport(input, output));
      return (steps: number, listener: Listener) =>
        client.callTool({ name: 'count', arguments: { steps } }, undefined, listener);
    },
  };

  it.each(Object.keys(official) as (keyof typeof official)[])(
    `reaches the official %s in each of ${CALLS} calls, of which ${AT_ONCE} run at a time`,
    async (name) => {
      const { server, clock, toServer, toClient } = await open();
      const call = await official[name](toClient, toServer);
      const lost: number[] = [];
      let [begun, isOver] = [0, false];
      const callOn = async (): Promise<void> => {
        while (begun < CALLS) {
          const steps = 1 + (begun++ % 5);
          let heard = 0;
          await call(steps, { onprogress: () => (heard += 1) });
          if (heard < steps) lost.push(steps - heard);
        }
      };
      const over = Promise.all(Array.from({ length: AT_ONCE }, callOn)).finally(() => (isOver = true));
      while (!isOver) {
        await turn();
        await clock.advance(1);
      }
      await over;
      expect(lost).toEqual([]);
      await server.close();
    },
  );
});

describe('the result of a call', () => {
  async function ask(params: object) {
    const { server, clock, toServer, toClient } = await open();
    const written: string[] = [];
    toClient.on('data', (chunk: Buffer) => written.push(String(chunk)));
    const send = (id: number, method: string, sent: object): void =>
      void toServer.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: sent })}\n`);
    const clientInfo = { name: 'raw', version: '1' };
    send(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    await until(() => written.length === 1);
    send(2, 'tools/call', { name: 'count', ...params });
    await until(() => written.length === 2);
    return { server, clock, chunks: written.slice(1), written };
  }
  const reported = (token: number) => ({ arguments: { steps: 2 }, _meta: { progressToken: token } });

  it('leaves ten milliseconds after its last progress, in a chunk of its own', async () => {
    const { server, clock, written } = await ask(reported(1));
    await clock.advance(9);
    await turn();
    expect(written.slice(1).map((chunk) => chunk.split('\n').length - 1)).toEqual([2]);
    await clock.advance(1);
    await until(() => written.length === 3);
    expect(JSON.parse(written[2] ?? '')).toMatchObject({ id: 2, result: {} });
    await server.close();
  });

  it('leaves at once if nobody asked for progress, or if there was none', async () => {
    for (const params of [{ arguments: { steps: 2 } }, { ...reported(1), arguments: { steps: 0 } }]) {
      const { server, chunks } = await ask(params);
      expect(JSON.parse(chunks[0] ?? '')).toMatchObject({ id: 2, result: {} });
      await server.close();
    }
  });
});
