/** The official client of skills verifies every entry, digest, size and front matter that it is served. */
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { serve, useAdapter } from '../http/http-server';
import { folderOf, skillText } from '../../support/skill-folders';
import { skills } from '@sigil-mcp/skills';
import { shopDefinition } from './shop/shop';

async function meet(url: string, mode: VersionNegotiationMode): Promise<Client> {
  const client = new Client({ name: 'official', version: '2' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

const ODD = {
  'bom/SKILL.md': `\uFEFF${skillText('bom', 'Hé\n')}`,
  'windows/SKILL.md': skillText('windows', 'One\nTwo\n').replaceAll('\n', '\r\n'),
  'odd/SKILL.md':
    '---\n# a remark\nname: odd\ndescription: |-\n  Two\n  lines: of text\nn: 0x10\nday: 2026-01-01\nflags: [yes, true, ~]\nmetadata:\n  a: "1"\n---\n',
  'odd/files/Q&A (1) ü%.md': 'x',
  'odd/files/[a]|b.txt': 'y',
  'odd/files/bytes.bin': Buffer.from([0, 1, 255]),
  'odd/files/empty': '',
};

describe('the official client', () => {
  afterEach(() => useAdapter('fastify'));

  it.each(['fastify', 'fetch', 'node'] as const)('reads and verifies all files over %s', async (adapter) => {
    useAdapter(adapter);
    const { url, close } = await serve(shopDefinition(__dirname));
    const client = await meet(url, { pin: '2026-07-28' });
    const official = new SkillsClient(client);
    expect(official.supported && official.directoryRead).toBe(true);
    const { skills: entries, invalid } = await official.list();
    expect(invalid).toEqual([]);
    expect(entries.length).toBeGreaterThan(2);
    for (const entry of entries) {
      expect((await official.get(entry.uri)).skill).toEqual(entry);
      for (const { uri } of entry.resources === 'dynamic' ? [] : entry.resources)
        expect(await official.read(entry, uri)).toMatchObject({ verified: true });
    }
    const { resources } = await official.readDirectory('skill://welcome');
    expect(resources.map(({ name }) => name)).toEqual(['welcome', 'empty', 'logo.png', 'references']);
    await client.close();
    await close();
  });

  it('verifies odd front matter, names and bytes, page by page', async () => {
    const { url, close } = await serve({ extensions: [skills({ folders: [folderOf(ODD)], pageSize: 1 })] });
    const client = await meet(url, { pin: '2026-07-28' });
    const official = new SkillsClient(client);
    const { skills: entries } = await official.list();
    expect(entries.map(({ frontmatter }) => frontmatter['name'])).toEqual(['bom', 'odd', 'windows']);
    for (const entry of entries)
      for (const { uri } of entry.resources === 'dynamic' ? [] : entry.resources)
        expect(await official.read(entry, uri)).toMatchObject({ verified: true });
    await client.close();
    await close();
  });

  it('finds skills after a handshake, if they are for every revision', async () => {
    const folder = folderOf({ 'a/SKILL.md': skillText('a') });
    for (const isForEveryRevision of [false, true]) {
      const { url, close } = await serve({ extensions: [skills({ folders: [folder], isForEveryRevision })] });
      const client = await meet(url, 'legacy');
      const official = new SkillsClient(client);
      expect(official.supported).toBe(isForEveryRevision);
      const { skills: entries } = await official.list();
      expect(entries).toHaveLength(isForEveryRevision ? 1 : 0);
      for (const entry of entries) expect(await official.read(entry)).toMatchObject({ verified: true });
      await client.close();
      await close();
    }
  });
});
