/** Resources that lists leave out, and that clients reach by their URIs as ever, on every revision. */
import { Feature, Resource, createServer, type Guard, type Server } from '@sigil-mcp/core';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';

class Part {
  @IsString() part!: string;
}

const nobody: Guard = { allows: () => false };

@Feature()
class Atlas {
  @Resource('atlas://cover') cover(): string {
    return 'An atlas';
  }
  @Resource('atlas://index', { unlisted: true }) index(): string {
    return 'Oslo 7';
  }
  @Resource('atlas://maps/{part}', { unlisted: true }) map({ part }: Part): string {
    return `Map ${part}`;
  }
  @Resource('atlas://notes/{part}') notes({ part }: Part): string {
    return `Notes ${part}`;
  }
}

function atlas(): Server {
  return createServer({
    name: 'atlas',
    version: '1.0.0',
    logger: false,
    pageSize: 2,
    cache: { ttlMs: 1000, cacheScope: 'public' },
    capabilities: ['tools'],
    features: [Atlas],
  });
}

async function listed(client: TestClient): Promise<string[]> {
  const uris: string[] = [];
  let cursor: string | undefined;
  do {
    const { resources, nextCursor } = await client.listResources(cursor === undefined ? undefined : { cursor });
    uris.push(...resources.map(({ uri }) => uri));
    cursor = nextCursor;
  } while (cursor !== undefined);
  return uris;
}

/** A client that is told of changed lists, and of changes of some resources. */
async function subscriber(client: TestClient, uris: readonly string[]): Promise<TestClient> {
  if (client.revision < '2026-07-28') for (const uri of uris) await client.request('resources/subscribe', { uri });
  else {
    const notifications = { resourcesListChanged: true, resourceSubscriptions: [...uris] };
    client.request('subscriptions/listen', { notifications }).catch(() => undefined);
    await client.waitForNotification('notifications/subscriptions/acknowledged');
  }
  return client;
}

describe('an unlisted resource', () => {
  eachRevision('is left out of lists, and read as ever', async ({ connect }) => {
    const client = await connect(atlas());
    expect(await listed(client)).toEqual(['atlas://cover']);
    const { resourceTemplates } = (await client.request('resources/templates/list')) as unknown as {
      resourceTemplates: { uriTemplate: string }[];
    };
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['atlas://notes/{part}']);
    expect((await client.readResource('atlas://index')).contents).toMatchObject([{ text: 'Oslo 7' }]);
    expect((await client.readResource('atlas://maps/7')).contents).toMatchObject([{ text: 'Map 7' }]);
  });

  eachRevision('takes no place on pages', async ({ connect }) => {
    const server = atlas();
    for (let index = 0; index < 6; index++)
      server.registry.add({
        kind: 'resource',
        name: `r${index}`,
        uri: `atlas://r${index}`,
        unlisted: index % 2 === 0,
        handler: () => '',
      });
    const client = await connect(server);
    const first = await client.listResources();
    expect(first.resources.map(({ uri }) => uri)).toEqual(['atlas://cover', 'atlas://r1']);
    expect(await listed(client)).toEqual(['atlas://cover', 'atlas://r1', 'atlas://r3', 'atlas://r5']);
  });

  eachRevision('changes no list when it comes, changes and goes, and announces its contents', async ({ connect }) => {
    const server = atlas();
    const client = await subscriber(await connect(server), ['atlas://index']);
    server.registry.add({ kind: 'resource', name: 'x', uri: 'atlas://x', unlisted: true, handler: () => 'x' });
    server.registry.update('resource', 'atlas://x', { description: 'Other' });
    server.registry.disable('resource', 'atlas://x');
    server.registry.enable('resource', 'atlas://x');
    await turn();
    server.registry.remove('resource', 'atlas://x');
    await turn();
    expect(client.notifications('notifications/resources/list_changed')).toEqual([]);
    server.notifyResourceChanged('atlas://index');
    await client.waitForNotification('notifications/resources/updated');
  });

  eachRevision('may be listed later, and left out again, which changes the list', async ({ connect }) => {
    const server = atlas();
    const client = await subscriber(await connect(server), []);
    const changes = (): number => client.notifications('notifications/resources/list_changed').length;
    server.registry.update('resource', 'atlas://index', { unlisted: false });
    await turn();
    expect([changes(), await listed(client)]).toEqual([1, ['atlas://cover', 'atlas://index']]);
    server.registry.update('resource', 'atlas://index', { unlisted: true });
    await turn();
    expect([changes(), await listed(client)]).toEqual([2, ['atlas://cover']]);
  });

  it('does not make a list private that is the same for all callers', async () => {
    const server = atlas();
    const client = await connect(server);
    const before = await client.listResources();
    expect(before).toMatchObject({ cacheScope: 'public' });
    server.registry.add({
      kind: 'resource',
      name: 'x',
      uri: 'atlas://x',
      unlisted: true,
      guards: [nobody],
      handler: () => 'x',
    });
    expect(await client.listResources()).toEqual(before);
    await server.close();
  });
});
