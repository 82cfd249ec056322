/** Clients that try to reach more than they are offered: with URIs, cursors and odd parameters. */
import { createServer, type Server } from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { skills } from '@sigil-mcp/skills';
import fc from 'fast-check';
import { appendFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, skillText } from '../../support/skill-folders';
import { shop } from './shop/shop';
import { runs } from '../../support/matrix';

const METHODS = ['resources/read', 'skills/get', 'resources/directory/read'];

async function refusals(client: TestClient, uri: unknown): Promise<unknown[]> {
  return Promise.all(
    METHODS.map((method) =>
      client.request(method, { uri } as JsonObject).then(
        () => 'answered',
        (error: { code: number }) => error.code,
      ),
    ),
  );
}

describe('a client', () => {
  let server: Server;
  let client: TestClient;
  beforeAll(async () => {
    server = shop(__dirname);
    client = await connect(server, { as: { id: 'bob' } });
  });
  afterAll(() => server.close());

  it.each([
    'skill://welcome/../refunds/SKILL.md',
    'skill://welcome/%2e%2e/refunds/SKILL.md',
    'skill://welcome/..%2Frefunds%2FSKILL.md',
    'skill://welcome/references/../../../shop/shop.ts',
    'skill://welcome/%2Fetc%2Fpasswd',
    'skill://welcome//etc/passwd',
    'skill://welcome/SKILL.md#x',
    'skill://welcome/SKILL.md?x',
    'skill://user@welcome/SKILL.md',
    'skill://welcome:80/SKILL.md',
    'skill:welcome/SKILL.md',
    'skill:///welcome/SKILL.md',
    'skill://welcome/SKILL.md/',
    'skill://welcome/skill.md',
    'skill://welcome/.gitkeep',
    'skill://welcome/empty/.gitkeep',
    'skill://welcome/constructor',
    'skill://__proto__/SKILL.md',
    `skill://welcome/${'a/'.repeat(100_000)}`,
    'file:///etc/passwd',
    '',
    ' ',
  ])('does not reach anything with %.60s [RSRC-013]', async (uri) => {
    expect(await refusals(client, uri)).toEqual([-32602, -32602, -32602]);
  });

  it.each(['skill://welcome/SKILL%2Emd', 'skill://WELCOME/SKILL.md', 'SKILL://welcome/SKILL.md'])(
    'reaches a file with %s, an equal URI, as a resource and not as a skill',
    async (uri) => {
      expect(await refusals(client, uri)).toEqual(['answered', -32602, -32602]);
    },
  );

  it('is not sent back long texts of its own', async () => {
    const uri = `skill://${'x'.repeat(1_000_000)}`;
    for (const method of METHODS) await client.request(method, { uri }).catch(() => undefined);
    await client.request('skills/list', { cursor: uri }).catch(() => undefined);
    const answers = client.traffic.filter(({ from }) => from === 'server').slice(-4);
    for (const { text } of answers) expect(text.length).toBeLessThan(4000);
  });

  it('is refused parameters of other types', async () => {
    for (const uri of [undefined, null, 7, {}, [], ['skill://welcome/SKILL.md']])
      expect(await refusals(client, uri)).toEqual([-32602, -32602, -32602]);
    for (const cursor of [7, {}])
      await expect(client.request('skills/list', { cursor })).rejects.toMatchObject({ code: -32602 });
  });

  it('never gets anything but files of its skills, whatever it asks for', async () => {
    const part = fc.constantFrom(
      'welcome',
      'refunds',
      'SKILL.md',
      '..',
      '.',
      '%2e',
      '%2F',
      'templates',
      'letter.md',
      '',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        const uri = `skill://${parts.join('/')}`;
        const read = await client.readResource(uri).catch(() => undefined);
        if (read) expect(uri).toMatch(/^skill:\/\/(welcome|ordering|refunds\/partial)\//);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('pages', () => {
  const shelf = (count: number): string =>
    folderOf(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`s${index}/SKILL.md`, skillText(`s${index}`)] as const),
      ),
    );
  const serverOf = (folder: string, pageSize?: number): Server =>
    createServer({
      name: 'shelf',
      version: '1.0.0',
      logger: false,
      extensions: [skills({ folders: [folder], directoryRead: true, ...(pageSize && { pageSize }) })],
    });
  interface Page {
    readonly skills: { readonly uri: string }[];
    readonly nextCursor?: string;
  }
  const page = async (client: TestClient, cursor?: string): Promise<Page> =>
    (await client.request('skills/list', cursor === undefined ? {} : { cursor })) as unknown as Page;

  it('have every skill once, whole, at any size', async () => {
    const folder = shelf(7);
    for (const size of [1, 2, 3, 7, 100]) {
      const server = serverOf(folder, size);
      const client = await connect(server);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { skills: some, nextCursor } = await page(client, cursor);
        expect(some.length).toBeLessThanOrEqual(size);
        seen.push(...some.map(({ uri }) => uri));
        cursor = nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual([...Array(7).keys()].map((index) => `skill://s${index}/SKILL.md`));
      await server.close();
    }
  });

  it('hold 100 skills if nothing else is said, however many there are', async () => {
    const server = serverOf(shelf(101));
    const client = await connect(server);
    const first = await page(client);
    expect(first.skills).toHaveLength(100);
    expect((await page(client, first.nextCursor)).skills).toHaveLength(1);
    await server.close();
  });

  it('refuse cursors that were not given out for them', async () => {
    const server = serverOf(shelf(3), 1);
    const client = await connect(server);
    const { nextCursor = '' } = await page(client);
    const folder = await client.request('resources/directory/read', { uri: 'skill://s0' });
    expect(folder).not.toHaveProperty('nextCursor');
    const forged = Buffer.from('skills/list file:///etc').toString('base64url');
    for (const cursor of [
      '',
      'x',
      `${nextCursor}=`,
      ` ${nextCursor}`,
      forged,
      Buffer.from('skills/list ').toString('base64url'),
      Buffer.from('skills/list skill://s0/SKILL.md').toString('base64url'),
      `${nextCursor.slice(0, -1)}${nextCursor.endsWith('A') ? 'B' : 'A'}`,
    ])
      await expect(page(client, cursor)).rejects.toMatchObject({ code: -32602 });
    await expect(
      client.request('resources/directory/read', { uri: 'skill://s0', cursor: nextCursor }),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(client.request('resources/list', { cursor: nextCursor })).rejects.toMatchObject({ code: -32602 });
    await server.close();
  });

  it('go on after a cursor of another instance with the same secrets, and of no other server', async () => {
    const folder = shelf(3);
    const made = (secret: string): Server =>
      createServer({
        name: 'shelf',
        version: '1.0.0',
        logger: false,
        requestState: { secrets: [secret.repeat(32)] },
        extensions: [skills({ folders: [folder], pageSize: 1 })],
      });
    const servers = [made('a'), made('a'), made('b')];
    const [one, same, other] = await Promise.all(servers.map((server) => connect(server)));
    const { nextCursor = '' } = await page(one!);
    expect(Buffer.from(nextCursor, 'base64url').toString()).not.toContain('skill');
    expect((await page(same!, nextCursor)).skills).toMatchObject([{ uri: 'skill://s1/SKILL.md' }]);
    await expect(page(other!, nextCursor)).rejects.toMatchObject({ code: -32602 });
    await Promise.all(servers.map((server) => server.close()));
  });

  it('go on after a skill that was removed meanwhile', async () => {
    const server = serverOf(shelf(4), 2);
    const client = await connect(server);
    const { nextCursor } = await page(client);
    server.registry.remove('resource', 'skill://s1/SKILL.md');
    server.registry.remove('resource', 'skill://s2/SKILL.md');
    expect((await page(client, nextCursor)).skills).toMatchObject([{ uri: 'skill://s3/SKILL.md' }]);
    await server.close();
  });

  it('after a cursor of somebody else show only what the caller may see', async () => {
    const server = shop(__dirname, { pageSize: 1 });
    const staff = await connect(server, { as: { id: 'ada', roles: ['staff'] } });
    const guest = await connect(server, { as: { id: 'bob' } });
    let cursor: string | undefined;
    const seen = new Set<string>();
    do {
      const { nextCursor } = await page(staff, cursor);
      cursor = nextCursor;
      for (const { uri } of (await page(guest, cursor)).skills) seen.add(uri);
    } while (cursor !== undefined);
    expect([...seen].some((uri) => uri.startsWith('skill://refunds/SKILL') || uri.includes('handbook'))).toBe(false);
    await server.close();
  });
});

describe('a file that changes after the start', () => {
  it.each([
    ['changed', (path: string) => writeFileSync(path, 'other')],
    ['longer', (path: string) => appendFileSync(path, 'more')],
    ['truncated', (path: string) => truncateSync(path, 3)],
    ['deleted', (path: string) => rmSync(path)],
  ])('is served as its digest says when it is %s between list and read', async (_how, change) => {
    const folder = folderOf({ 'a/SKILL.md': skillText('a'), 'a/b.md': 'As it was' });
    const server = createServer({
      name: 'a',
      version: '1.0.0',
      logger: false,
      extensions: [skills({ folders: [folder] })],
    });
    const client = await connect(server);
    const listed = await client.request('skills/list');
    change(join(folder, 'a/b.md'));
    const { contents } = await client.readResource('skill://a/b.md');
    expect(contents[0]?.['text']).toBe('As it was');
    expect(await client.request('skills/list')).toMatchObject({ skills: listed['skills'] });
    await server.close();
  });

  it('is not served with other bytes by a handler that was changed', async () => {
    const folder = folderOf({ 'a/SKILL.md': skillText('a'), 'a/b.md': 'As it was' });
    const server = createServer({
      name: 'a',
      version: '1.0.0',
      logger: false,
      extensions: [skills({ folders: [folder] })],
    });
    const client = await connect(server);
    server.registry.update('resource', 'skill://a/b.md', { handler: () => 'Other bytes' });
    await expect(client.readResource('skill://a/b.md')).rejects.toMatchObject({ code: -32603 });
    await server.close();
  });
});
