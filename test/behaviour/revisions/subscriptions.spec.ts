/** Changes and who is told of them, on every revision. */
import { createServer, type Guard, type Server } from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { turn } from '../../support/turn';
import { until } from '../../support/until';
import { eachRevision } from './checked';
import { workshop } from './workshop';

const LAST_HANDSHAKE = '2025-11-25';
const NEWEST = '2026-07-28';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

const told = (client: TestClient): [unknown, unknown][] =>
  client
    .notifications()
    .map(({ method, params }) => [method, (params as { _meta?: Record<string, unknown> })?._meta?.[SUBSCRIPTION]]);
const addTool = (server: Server, name: string): void =>
  server.registry.add({ kind: 'tool', name, description: 'Added', handler: () => 'x' });

/** Opens a subscription and waits for what comes first; the id of its request. */
async function listen(client: TestClient, notifications: object): Promise<{ id: number; ended: Promise<unknown> }> {
  const ended = client.request('subscriptions/listen', { notifications: notifications as never });
  ended.catch(() => undefined);
  const { id } = JSON.parse(client.traffic.filter(({ from }) => from === 'client').at(-1)?.text ?? '') as {
    id: number;
  };
  await turn();
  return { id, ended };
}

describe('list changes', () => {
  eachRevision(
    'reach every session, several within one turn as one [TOOL-005, RSRC-004, PROMPT-004, SUB-003]',
    async ({ connect }) => {
      const server = workshop();
      const [one, other] = [await connect(server), await connect(server)];
      addTool(server, 'a');
      addTool(server, 'b');
      server.registry.remove('tool', 'a');
      server.registry.add({ kind: 'prompt', name: 'p', description: 'Added', handler: () => 'x' });
      server.registry.add({ kind: 'resource', name: 'r', uri: 'shop://new', handler: () => 'x' });
      server.registry.add({ kind: 'resource', name: 't', uri: 'shop://new/{x}', handler: () => 'x' });
      await turn();
      const methods = [
        'notifications/tools/list_changed',
        'notifications/prompts/list_changed',
        'notifications/resources/list_changed',
      ];
      for (const client of [one, other]) expect(told(client)).toEqual(methods.map((method) => [method, undefined]));
    },
    { until: LAST_HANDSHAKE },
  );

  eachRevision('are not told to clients that hung up', async ({ connect }) => {
    const server = workshop();
    const client = await connect(server);
    await client.close();
    const before = client.traffic.length;
    addTool(server, 'late');
    await turn();
    expect(client.traffic).toHaveLength(before);
  });

  eachRevision(
    'are told to nobody who did not ask, where asking is a request of its own [TOOL-005]',
    async ({ connect }) => {
      const server = workshop();
      const client = await connect(server);
      addTool(server, 'a');
      await turn();
      expect(client.notifications()).toEqual([]);
    },
    { since: NEWEST },
  );
});

describe('subscribing to a resource', () => {
  eachRevision(
    'is told of its changes, and of no others, until it is given up [SUB-001, SUB-002]',
    async ({ connect }) => {
      const server = workshop();
      const [client, other] = [await connect(server), await connect(server)];
      expect(await client.request('resources/subscribe', { uri: 'shop://plan' })).toEqual({});
      expect(await client.request('resources/subscribe', { uri: 'shop://plan' })).toEqual({});
      expect(await client.request('resources/subscribe', { uri: 'shop://items/7' })).toEqual({});
      server.notifyResourceChanged('shop://plan');
      server.notifyResourceChanged('shop://logo');
      server.notifyResourceChanged('shop://items/7');
      expect(client.notifications().map(({ params }) => params)).toEqual([
        { uri: 'shop://plan' },
        { uri: 'shop://items/7' },
      ]);
      expect(other.notifications()).toEqual([]);
      expect(await client.request('resources/unsubscribe', { uri: 'shop://plan' })).toEqual({});
      expect(await client.request('resources/unsubscribe', { uri: 'shop://never' })).toEqual({});
      server.notifyResourceChanged('shop://plan');
      expect(client.notifications()).toHaveLength(2);
    },
    { until: LAST_HANDSHAKE },
  );

  eachRevision(
    'is refused for what is not there, or not for the caller, or no URI',
    async ({ connect }) => {
      const hidden: Guard = { allows: (_caller, entry) => entry.key !== 'shop://plan' };
      const client = await connect(workshop({ guards: [hidden] }));
      for (const uri of ['shop://lost', 'shop://plan']) {
        await expect(client.request('resources/subscribe', { uri })).rejects.toMatchObject({
          code: -32002,
          data: { uri },
        });
      }
      await expect(client.request('resources/subscribe', { uri: 'no uri' })).rejects.toMatchObject({ code: -32602 });
      await expect(client.request('resources/subscribe', {})).rejects.toMatchObject({ code: -32602 });
    },
    { until: LAST_HANDSHAKE },
  );
});

describe('a subscription that is given up at once', () => {
  eachRevision(
    'is none, also where a guard takes its time, and neither is one whose request was cancelled',
    async ({ connect }) => {
      const slow: Guard = { allows: () => turn().then(() => true) };
      for (const server of [workshop(), workshop({ guards: [slow] })]) {
        const client = await connect(server);
        await Promise.all([
          client.request('resources/subscribe', { uri: 'shop://plan' }),
          client.request('resources/unsubscribe', { uri: 'shop://plan' }),
        ]);
        server.notifyResourceChanged('shop://plan');
        expect(client.notifications()).toEqual([]);
      }
      const server = workshop({ guards: [slow] });
      const client = await connect(server);
      client.send('{"jsonrpc":"2.0","id":"gone","method":"resources/subscribe","params":{"uri":"shop://plan"}}');
      client.notify('notifications/cancelled', { requestId: 'gone' });
      await turn();
      server.notifyResourceChanged('shop://plan');
      expect(client.notifications()).toEqual([]);
    },
    { until: LAST_HANDSHAKE },
  );
});

describe('subscriptions/listen', () => {
  eachRevision(
    'that is still looked at when the server closes ends at once',
    async ({ connect }) => {
      const slow: Guard = { allows: () => turn().then(() => true) };
      const server = workshop({ guards: [slow], shutdownDeadline: 600_000 });
      const client = await connect(server);
      const listening = client.request('subscriptions/listen', {
        notifications: { resourceSubscriptions: ['shop://plan'] },
      });
      // The deadline is longer than the test lasts: it is not waited for.
      await Promise.all([server.close(), listening]);
    },
    { since: NEWEST },
  );

  eachRevision(
    'acknowledges what it honours, then tells that and nothing else, tagged with its id [SUB-004, SUB-005, SUB-006, SUB-008, SUB-009, SUB-011]',
    async ({ connect }) => {
      const server = workshop();
      const client = await connect(server);
      const { id } = await listen(client, {
        toolsListChanged: true,
        promptsListChanged: false,
        resourceSubscriptions: ['shop://plan', 'shop://plan', 'shop://lost'],
      });
      expect(client.notifications()).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/subscriptions/acknowledged',
          params: {
            notifications: { toolsListChanged: true, resourceSubscriptions: ['shop://plan'] },
            _meta: { [SUBSCRIPTION]: id },
          },
        },
      ]);
      addTool(server, 'a');
      server.registry.add({ kind: 'prompt', name: 'p', description: 'Added', handler: () => 'x' });
      server.notifyResourceChanged('shop://plan');
      server.notifyResourceChanged('shop://logo');
      await turn();
      expect(told(client).slice(1)).toEqual([
        ['notifications/resources/updated', id],
        ['notifications/tools/list_changed', id],
      ]);
    },
    { since: NEWEST },
  );

  eachRevision(
    'several at once have filters and ids of their own [SUB-012]',
    async ({ connect }) => {
      const server = workshop();
      const client = await connect(server);
      const tools = await listen(client, { toolsListChanged: true });
      const both = await listen(client, { toolsListChanged: true, promptsListChanged: true });
      addTool(server, 'a');
      server.registry.add({ kind: 'prompt', name: 'p', description: 'Added', handler: () => 'x' });
      await turn();
      expect(told(client).filter(([method]) => method !== 'notifications/subscriptions/acknowledged')).toEqual([
        ['notifications/tools/list_changed', tools.id],
        ['notifications/tools/list_changed', both.id],
        ['notifications/prompts/list_changed', both.id],
      ]);
    },
    { since: NEWEST },
  );

  eachRevision(
    'honours nothing that the server does not have [SUB-007]',
    async ({ connect }) => {
      const client = await connect(
        createServer({ name: 'bare', version: '1.0.0', logger: false, capabilities: ['prompts'] }),
      );
      await listen(client, {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['a:b'],
      });
      expect(client.notifications()[0]?.['params']).toMatchObject({ notifications: { promptsListChanged: true } });
      expect(Object.keys((client.notifications()[0]?.['params'] as { notifications: object }).notifications)).toEqual([
        'promptsListChanged',
      ]);
    },
    { since: NEWEST },
  );

  eachRevision(
    'ends when the client cancels it, without another word [CANCEL-003, SUB-013]',
    async ({ connect }) => {
      const server = workshop();
      const client = await connect(server);
      const { id } = await listen(client, { toolsListChanged: true });
      client.notify('notifications/cancelled', { requestId: id });
      const before = client.traffic.length;
      addTool(server, 'a');
      await turn();
      expect(client.traffic).toHaveLength(before);
    },
    { since: NEWEST },
  );

  eachRevision(
    'keeps the type of its id, tells a change while it is being opened to nobody, and never begins once it was cancelled [SUB-006, SUB-009]',
    async ({ connect }) => {
      let letIn: (isAllowed: boolean) => void = () => undefined;
      const decided = new Promise<boolean>((resolve) => (letIn = resolve));
      let asked = 0;
      const slow: Guard = { allows: () => ((asked += 1), decided) };
      const server = workshop({ guards: [slow] });
      const client = await connect(server);
      const meta = {
        'io.modelcontextprotocol/protocolVersion': NEWEST,
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const open = (id: string | number): void =>
        client.send(
          JSON.stringify({
            jsonrpc: '2.0',
            id,
            method: 'subscriptions/listen',
            params: { _meta: meta, notifications: { toolsListChanged: true, resourceSubscriptions: ['shop://plan'] } },
          }),
        );
      open('7');
      open(7);
      open('cancelled');
      client.notify('notifications/cancelled', { requestId: 'cancelled' });
      await until(() => asked === 3);
      addTool(server, 'early');
      await turn();
      letIn(true);
      await until(() => told(client).length === 2);
      addTool(server, 'late');
      await until(() => told(client).length >= 4);
      await turn();
      expect(told(client).map(([method, id]) => [String(method).split('/').at(-1), id])).toEqual([
        ['acknowledged', '7'],
        ['acknowledged', 7],
        ['list_changed', '7'],
        ['list_changed', 7],
      ]);
    },
    { since: NEWEST },
  );

  eachRevision(
    'ends with a result when the server closes, at once and said on a shared pipe [CANCEL-008, CANCEL-009, SUB-014, SUB-015]',
    async ({ connect }) => {
      const server = workshop({ shutdownDeadline: 60_000 });
      const client = await connect(server);
      const { id, ended } = await listen(client, { toolsListChanged: true });
      await server.close();
      expect(await ended).toMatchObject({ resultType: 'complete', _meta: { [SUBSCRIPTION]: id } });
      expect(client.notifications('notifications/cancelled')).toMatchObject([{ params: { requestId: id } }]);
    },
    { since: NEWEST },
  );

  eachRevision(
    'takes ten thousand URIs, and refuses a filter that is none',
    async ({ connect }) => {
      const server = workshop({ limits: { subscriptionsPerClient: 10_000 } });
      const client = await connect(server);
      const { id } = await listen(client, {
        resourceSubscriptions: Array.from({ length: 10_000 }, (_, index) => `shop://items/${index}`),
      });
      server.notifyResourceChanged('shop://items/9999');
      expect(told(client).at(-1)).toEqual(['notifications/resources/updated', id]);
      for (const notifications of [
        { toolsListChanged: 'yes' },
        { resourceSubscriptions: 'shop://plan' },
        { resourceSubscriptions: [5] },
      ]) {
        await expect(
          client.request('subscriptions/listen', { notifications: notifications as never }),
        ).rejects.toMatchObject({ code: -32602 });
      }
      await expect(client.request('subscriptions/listen', {})).rejects.toMatchObject({ code: -32602 });
    },
    { since: NEWEST },
  );
});
