/** Observers start and stop with their server, and see who asks and how questions end. */
import {
  createServer,
  Feature,
  McpContext,
  Tool,
  type ObservedServer,
  type Observer,
  type QuestionOutcome,
  type ServerOptions,
} from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { IsBoolean } from 'class-validator';
import { serve } from '../http/http-server';

class Yes {
  @IsBoolean() yes!: boolean;
}

@Feature()
class Shop {
  @Tool('Asks') async ask(context: McpContext): Promise<string> {
    return (await context.elicit(Yes, 'Sure?')).action;
  }
  @Tool('Greets') greet(): string {
    return 'Hello.';
  }
}

const serverOf = (options: Partial<ServerOptions>) =>
  createServer({ name: 'shop', version: '1.2.3', features: [Shop], logger: false, ...options });

it('start before the first request and stop after the last, in memory and over HTTP', async () => {
  const steps: string[] = [];
  const observer: Observer = {
    onStart: ({ name, version }) => void steps.push(`start ${name} ${version}`),
    requestStarted: ({ method }) => ({ ended: ({ kind }) => void steps.push(`${method} ${kind}`) }),
    onStop: async () => {
      await Promise.resolve();
      steps.push('stop');
    },
  };
  const server = serverOf({ observers: [observer] });
  const client = await connect(server, { revision: '2025-11-25' });
  await client.callTool('greet');
  await client.close();
  await server.close();
  await server.close();
  expect(steps).toEqual(['start shop 1.2.3', 'initialize result', 'tools/call result', 'stop']);
  steps.length = 0;
  const open = await serve({ features: [Shop], observers: [observer] });
  await open.initialize();
  await open.close();
  expect(steps.map((step) => step.split(' ')[0])).toEqual(['start', 'initialize', 'stop']);
});

it('keep a server from its start if they cannot start, and those that have started are stopped', async () => {
  const steps: string[] = [];
  const sound: Observer = { onStart: () => void steps.push('start'), onStop: () => void steps.push('stop') };
  const broken: Observer = {
    onStart: () => Promise.reject(new Error('The disk is full.')),
    onStop: () => void steps.push('never'),
  };
  const server = serverOf({ observers: [sound, broken, sound] });
  await expect(connect(server)).rejects.toThrow('The disk is full.');
  await server.close();
  expect(steps).toEqual(['start', 'stop']);
});

it('are not stopped by a server that never started, and fail its close if they cannot stop', async () => {
  const stop = jest.fn(() => Promise.reject(new Error('The sink is gone.')));
  const server = serverOf({ observers: [{ onStop: stop }] });
  await server.close();
  expect(stop).not.toHaveBeenCalled();
  const other = serverOf({ observers: [{ onStop: stop }] });
  const client = await connect(other);
  await client.close();
  await expect(other.close()).rejects.toThrow('The sink is gone.');
});

it('use the log and the clock of the server', async () => {
  const servers: ObservedServer[] = [];
  const server = serverOf({ observers: [{ onStart: (one) => void servers.push(one) }] });
  await (await connect(server)).close();
  await server.close();
  expect(typeof servers[0]?.logger.warn).toBe('function');
  expect(typeof servers[0]?.clock.now()).toBe('number');
});

eachRevision('see the name of the client from its first request on', async ({ connect: open }) => {
  const names = new Set<string | undefined>();
  const observer: Observer = { requestStarted: ({ client }) => void names.add(client?.name) };
  const client = await open(serverOf({ observers: [observer] }));
  await client.callTool('greet');
  expect([...names]).toEqual(['sigil-testing']);
});

eachRevision(
  'see how a question ended',
  async ({ connect: open, revision }) => {
    const outcomes: QuestionOutcome[] = [];
    const observer: Observer = {
      requestStarted: () => ({ asked: () => (_, outcome) => void outcomes.push(outcome) }),
    };
    const answers: object[] = [{ action: 'decline' }, { action: 'accept', content: { yes: 'perhaps' } }];
    const client = await open(serverOf({ observers: [observer] }), { answers: () => answers.shift() as never });
    await client.callTool('ask');
    await client.callTool('ask').catch(() => undefined);
    const first = revision === '2026-07-28' ? ['pending'] : [];
    expect(outcomes).toEqual([...first, 'decline', ...first, 'accept']);
  },
  { since: '2025-06-18' },
);
