/** URIs that are written differently and are equal by RFC 3986: one resource, one template, one subscription, on every revision. */
import { createServer, resource, type Server } from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';
import { z } from 'zod';

const LAST_HANDSHAKE = '2025-11-25';
const NEWEST = '2026-07-28';

const notes = (): Server =>
  createServer({
    name: 'notes',
    version: '1',
    logger: false,
    features: [
      resource('Notes://all', { name: 'all' }, () => 'all notes'),
      resource('Notes://ALL', { name: 'aloud' }, () => 'all notes, aloud'),
      resource('notes://by/~ada', { name: 'ada' }, () => 'notes by Ada'),
      resource(
        'Users://{name}/card',
        { name: 'card', input: z.object({ name: z.string() }), complete: { name: () => ['Ada'] } },
        ({ name }) => name,
      ),
    ],
  });

const textOf = async (client: TestClient, uri: string): Promise<unknown> => {
  const { contents } = await client.readResource(uri);
  const [content] = contents;
  return content && 'text' in content ? content.text : undefined;
};

describe('equal URIs', () => {
  eachRevision('are the same resource; one that is written as it is listed comes first', async ({ connect }) => {
    const client = await connect(notes());
    expect(await textOf(client, 'Notes://all')).toBe('all notes');
    expect(await textOf(client, 'Notes://ALL')).toBe('all notes, aloud');
    expect(await textOf(client, 'notes://all')).toBe('all notes');
    expect(await textOf(client, 'NOTES://by/%7eada')).toBe('notes by Ada');
    await expect(client.readResource('notes://by/~ADA')).rejects.toThrow();
  });

  eachRevision('match the same template, and a variable keeps its case', async ({ connect }) => {
    const client = await connect(notes());
    for (const uri of ['Users://Ada/card', 'users://Ada/card', 'USERS://%41da/c%61rd'])
      expect(await textOf(client, uri)).toBe('Ada');
  });

  eachRevision('complete the same template', async ({ connect }) => {
    const client = await connect(notes());
    for (const uri of ['Users://{name}/card', 'users://{name}/card']) {
      const ref = { type: 'ref/resource', uri } as const;
      const result = await client.request('completion/complete', { ref, argument: { name: 'name', value: '' } });
      expect(result).toMatchObject({ completion: { values: ['Ada'] } });
    }
  });

  eachRevision(
    'are one subscription, and a client is told what it has written',
    async ({ connect }) => {
      const server = notes();
      const client = await connect(server);
      await client.request('resources/subscribe', { uri: 'notes://all' });
      await client.request('resources/subscribe', { uri: 'NOTES://all' });
      server.notifyResourceChanged('Notes://all');
      expect(client.notifications().map(({ params }) => params)).toEqual([{ uri: 'notes://all' }]);
      await client.request('resources/unsubscribe', { uri: 'Notes://all' });
      server.notifyResourceChanged('Notes://all');
      await turn();
      expect(client.notifications()).toHaveLength(1);
    },
    { until: LAST_HANDSHAKE },
  );

  eachRevision(
    'are one wish of a subscription, and a client is told what it has written',
    async ({ connect }) => {
      const server = notes();
      const client = await connect(server);
      const resourceSubscriptions = ['notes://all', 'users://Ada/card', 'NOTES://all'];
      const ended = client.request('subscriptions/listen', { notifications: { resourceSubscriptions } });
      ended.catch(() => undefined);
      await turn();
      server.notifyResourceChanged('Notes://all');
      await turn();
      const [acknowledged, changed, ...others] = client.notifications().map(({ params }) => params);
      expect(acknowledged).toMatchObject({
        notifications: { resourceSubscriptions: ['notes://all', 'users://Ada/card'] },
      });
      expect([changed, others]).toMatchObject([{ uri: 'notes://all' }, []]);
    },
    { since: NEWEST },
  );
});
