/** Who is told that a list has changed: those for whom it has, and nobody else, on every revision. */
import {
  Authenticated,
  Roles,
  createServer,
  prompt,
  resource,
  tool,
  type EntryData,
  type Guard,
  type Server,
} from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { eachRevision } from './checked';

const answer = (): string => 'ok';
const description = 'Answers';
const onlyAda: Guard = { allows: ({ caller }) => caller.id === 'ada' };
const onlyAdaByName: Guard = { allows: ({ headers }) => headers['x-name'] === 'ada' };
const throwing: Guard = {
  dependsOn: 'rights',
  allows: ({ headers }) => {
    if (headers['x-name'] === undefined) throw new Error('no name');
    return true;
  },
};
const lying: Guard = { dependsOn: 'rights', allows: ({ headers }) => headers['x-name']?.length === 3 };

type Words = 'tools' | 'prompts' | 'resources';

const told = (client: TestClient, what: Words): number =>
  client.notifications(`notifications/${what}/list_changed`).length;

/** A client that is told of whatever it may be told of. */
async function listener(client: TestClient): Promise<TestClient> {
  if (client.revision < '2026-07-28') return client;
  const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  client.request('subscriptions/listen', { notifications }).catch(() => undefined);
  await client.waitForNotification('notifications/subscriptions/acknowledged');
  return client;
}

function serverOf(features: readonly EntryData[]): Server {
  return createServer({
    name: 'told',
    version: '1.0.0',
    logger: false,
    features: [tool('plain', { description }, answer), prompt('plain', { description }, answer), ...features],
  });
}

/** All that is told of what is done in one turn. */
async function after(change: () => void): Promise<void> {
  change();
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

const hidden = { scopes: ['x', { listed: false }] } as const;

describe('a list that changed', () => {
  eachRevision('is announced to callers who see what was added, removed or replaced', async ({ connect }) => {
    const server = serverOf([
      tool('ofAdmins', { description, guards: [Roles('admin')] }, answer),
      tool('ofScope', { description, ...hidden }, answer),
      tool('listed', { description, scopes: ['x'] }, answer),
    ]);
    const admin = await listener(await connect(server, { as: { id: 'admin', roles: ['admin'] } }));
    const able = await listener(await connect(server, { as: { id: 'able', scopes: ['x'] } }));
    const plain = await listener(await connect(server, { as: 'plain' }));
    const nobody = await listener(await connect(server));
    const all = (): number[] => [admin, able, plain, nobody].map((client) => told(client, 'tools'));
    await after(() => server.registry.disable('tool', 'ofAdmins'));
    expect(all()).toEqual([1, 0, 0, 0]);
    await after(() => server.registry.enable('tool', 'ofAdmins'));
    expect(all()).toEqual([2, 0, 0, 0]);
    await after(() => server.registry.update('tool', 'ofScope', { description: 'Answers, and more' }));
    expect(all()).toEqual([2, 1, 0, 0]);
    await after(() => server.registry.remove('tool', 'ofScope'));
    expect(all()).toEqual([2, 2, 0, 0]);
    await after(() => server.registry.add(tool('new', { description, ...hidden }, answer)));
    expect(all()).toEqual([2, 3, 0, 0]);
    // A step-up could open it: whoever lacks only scopes sees it.
    await after(() => server.registry.disable('tool', 'listed'));
    expect(all()).toEqual([3, 4, 1, 1]);
    await after(() => server.registry.disable('tool', 'plain'));
    expect(all()).toEqual([4, 5, 2, 2]);
  });

  eachRevision('is told of to those who see an entry no more, or for the first time', async ({ connect }) => {
    const server = serverOf([tool('one', { description }, answer)]);
    const able = await listener(await connect(server, { as: { id: 'able', scopes: ['x'] } }));
    const user = await listener(await connect(server, { as: 'plain' }));
    const nobody = await listener(await connect(server));
    const all = (): number[] => [able, user, nobody].map((client) => told(client, 'tools'));
    await after(() => server.registry.update('tool', 'one', { guards: [Authenticated()] }));
    expect(all()).toEqual([0, 0, 1]);
    const until = all();
    await after(() => server.registry.update('tool', 'one', { guards: [], ...hidden }));
    // What it wants is listed with it.
    expect(all().map((count, at) => count - (until[at] ?? 0))).toEqual([1, 1, 0]);
  });

  eachRevision('is told of as one change, which is seen if any part of it is', async ({ connect }) => {
    const server = serverOf([tool('ofAdmins', { description, guards: [Roles('admin')] }, answer)]);
    const admin = await listener(await connect(server, { as: { id: 'admin', roles: ['admin'] } }));
    const plain = await listener(await connect(server, { as: 'plain' }));
    await after(() => {
      server.registry.disable('tool', 'ofAdmins');
      server.registry.add(prompt('ofAdmins', { description, guards: [Roles('admin')] }, answer));
      server.registry.disable('prompt', 'plain');
    });
    expect([admin, plain].map((client) => [told(client, 'tools'), told(client, 'prompts')])).toEqual([
      [1, 1],
      [0, 1],
    ]);
  });

  eachRevision('of resources and of templates is told by the rights to them', async ({ connect }) => {
    const server = serverOf([resource('own://open', { name: 'open' }, answer)]);
    const admin = await listener(await connect(server, { as: { id: 'admin', roles: ['admin'] } }));
    const plain = await listener(await connect(server, { as: 'plain' }));
    const all = (): number[] => [admin, plain].map((client) => told(client, 'resources'));
    await after(() => server.registry.add(resource('own://a', { name: 'a', guards: [Roles('admin')] }, answer)));
    await after(() => server.registry.add(resource('own://b/{id}', { name: 'b', guards: [Roles('admin')] }, answer)));
    expect(all()).toEqual([2, 0]);
    await after(() => server.registry.remove('resource', 'own://open'));
    expect(all()).toEqual([3, 1]);
  });

  eachRevision('is told of to all whom a guard of an author may let in, unless rights hide it', async ({ connect }) => {
    const server = serverOf([
      tool('ofAda', { description, guards: [onlyAda] }, answer),
      tool('byName', { description, guards: [onlyAdaByName, Roles('admin')] }, answer),
      tool('lying', { description, guards: [lying] }, answer),
      tool('throwing', { description, guards: [throwing] }, answer),
    ]);
    const ada = await listener(await connect(server, { as: { id: 'ada', roles: ['admin'] } }));
    const eve = await listener(await connect(server, { as: 'eve' }));
    const all = (): number[] => [ada, eve].map((client) => told(client, 'tools'));
    await after(() => server.registry.disable('tool', 'ofAda'));
    expect(all()).toEqual([1, 1]);
    await after(() => server.registry.disable('tool', 'byName'));
    expect(all()).toEqual([2, 1]);
    await after(() => server.registry.disable('tool', 'lying'));
    expect(all()).toEqual([2, 1]);
    await after(() => server.registry.disable('tool', 'throwing'));
    expect(all()).toEqual([3, 2]);
  });
});
