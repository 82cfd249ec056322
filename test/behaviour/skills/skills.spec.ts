/** Skills over every transport: the methods where they are specified, and the files as resources on every revision. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@sigil-mcp/protocol';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { SKILLS } from '@sigil-mcp/skills';
import { TRANSPORTS, type Opened } from './transports';
import { revisionsOf } from '../../support/each-revision';

const SPECIFIED = '2026-07-28';
/** The methods belong to 2026-07-28 alone: the revisions before do not know them. */
const NOT_THERE = -32601;
/** Callers over stdio may do everything. */
const STAFF_ONLY = ['handbook', 'refunds'];
const EVERYBODY = ['ordering', 'partial', 'welcome'];

interface Entry extends JsonObject {
  readonly uri: string;
  readonly frontmatter: { readonly name: string; readonly description: string };
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

const bytesOf = ({ text, blob }: { text?: unknown; blob?: unknown }): Buffer =>
  typeof text === 'string' ? Buffer.from(text) : Buffer.from(String(blob), 'base64');

describe.each(Object.keys(TRANSPORTS))('skills over %s', (transport) => {
  let opened: Opened;
  beforeAll(async () => (opened = await TRANSPORTS[transport]!()));
  afterAll(() => opened.close());

  describe.each(revisionsOf())('on %s', (revision) => {
    let client: TestClient;
    beforeAll(async () => {
      client = await connect(opened.target, { revision });
      expect(client.revision).toBe(revision);
    });
    afterAll(() => client.close());

    const list = async (): Promise<readonly Entry[]> =>
      ((await client.request('skills/list')) as unknown as { skills: Entry[] }).skills;

    it('are advertised with the settings that they have [BASE-045] [DISC-007]', () => {
      const said = client.traffic.find(({ from, text }) => from === 'server' && text.includes('"capabilities"'));
      const { result } = JSON.parse(said?.text ?? '{}') as { result: { capabilities: JsonObject } };
      if (revision < SPECIFIED) expect(result.capabilities).not.toHaveProperty('extensions');
      else
        expect(result.capabilities).toMatchObject({ resources: {}, extensions: { [SKILLS]: { directoryRead: true } } });
    });

    it('have files that are resources, with the bytes on disk', async () => {
      const { contents } = await client.readResource('skill://welcome/logo.png');
      expect(contents).toMatchObject([{ uri: 'skill://welcome/logo.png', mimeType: 'image/png' }]);
      expect(bytesOf(contents[0] ?? {})).toEqual(readFileSync(join(__dirname, 'catalogue/welcome/logo.png')));
      const manifest = await client.readResource('skill://welcome/SKILL.md');
      expect(manifest.contents).toMatchObject([{ mimeType: 'text/markdown' }]);
      expect(manifest.contents[0]?.['text']).toBe(readFileSync(join(__dirname, 'catalogue/welcome/SKILL.md'), 'utf8'));
      await expect(client.readResource('skill://welcome/none.md')).rejects.toThrow();
    });

    it('are listed among the resources, with their names and descriptions', async () => {
      const { resources } = await client.listResources();
      expect(resources.find(({ uri }) => uri === 'skill://welcome/SKILL.md')).toMatchObject({
        name: 'welcome',
        description: 'Greets customers as this shop does.',
        mimeType: 'text/markdown',
      });
    });

    it('are listed among the resources by their SKILL.md alone; their other files are read', async () => {
      const { resources } = await client.listResources();
      const ofSkills = resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('skill:'));
      expect(ofSkills.filter((uri) => !uri.endsWith('/SKILL.md'))).toEqual([]);
      expect(ofSkills).toContain('skill://refunds/partial/SKILL.md');
      const { contents } = await client.readResource('skill://welcome/references/house.md');
      expect(contents[0]?.['text']).toBe(
        readFileSync(join(__dirname, 'catalogue/welcome/references/house.md'), 'utf8'),
      );
    });

    it('are listed with all of their files, to clients that did not declare anything [BASE-046]', async () => {
      if (revision < SPECIFIED) return expect(client.request('skills/list')).rejects.toMatchObject({ code: NOT_THERE });
      const entries = await list();
      const names = transport === 'stdio' ? [...EVERYBODY, ...STAFF_ONLY].sort() : EVERYBODY;
      expect(entries.map(({ frontmatter: { name } }) => name).sort()).toEqual(names);
      const welcome = entries.find(({ frontmatter: { name } }) => name === 'welcome');
      expect(welcome).toMatchObject({
        uri: 'skill://welcome/SKILL.md',
        frontmatter: { license: 'MIT', metadata: { version: '1.0' } },
      });
      expect(welcome?.resources.map(({ uri }) => uri)).toEqual([
        'skill://welcome/SKILL.md',
        'skill://welcome/logo.png',
        'skill://welcome/references/house.md',
      ]);
      for (const { uri, digest, size } of welcome?.resources ?? []) {
        const bytes = bytesOf((await client.readResource(uri)).contents[0] ?? {});
        expect({ size: bytes.length, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` }).toEqual({
          size,
          digest,
        });
      }
      return undefined;
    });

    it('say how long they may be cached, and are found by their URIs', async () => {
      if (revision < SPECIFIED)
        return expect(client.request('skills/get', { uri: 'skill://welcome/SKILL.md' })).rejects.toMatchObject({
          code: NOT_THERE,
        });
      expect(await client.request('skills/list')).toMatchObject({
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
      });
      for (const entry of await list()) {
        const found = await client.request('skills/get', { uri: entry.uri });
        expect(found).toMatchObject({ resultType: 'complete', skill: entry, ttlMs: 0, cacheScope: 'private' });
        expect(found).not.toHaveProperty('nextCursor');
      }
      for (const uri of [
        'skill://none/SKILL.md',
        'skill://welcome',
        'skill://welcome/logo.png',
        'shop://opening-hours',
      ])
        await expect(client.request('skills/get', { uri })).rejects.toMatchObject({ code: -32602 });
      await expect(client.request('skills/get', {})).rejects.toMatchObject({ code: -32602 });
      return undefined;
    });

    it('have folders whose children are listed', async () => {
      const read = (uri: string): Promise<JsonObject> => client.request('resources/directory/read', { uri });
      if (revision < SPECIFIED) return expect(read('skill://welcome')).rejects.toMatchObject({ code: NOT_THERE });
      expect(await read('skill://welcome')).toMatchObject({
        resultType: 'complete',
        resources: [
          { uri: 'skill://welcome/SKILL.md', name: 'welcome', mimeType: 'text/markdown' },
          { uri: 'skill://welcome/empty', name: 'empty', mimeType: 'inode/directory' },
          { uri: 'skill://welcome/logo.png', name: 'logo.png', mimeType: 'image/png' },
          { uri: 'skill://welcome/references', name: 'references', mimeType: 'inode/directory' },
        ],
      });
      expect(await read('skill://welcome/empty')).toMatchObject({ resources: [] });
      expect(await read('skill://refunds/partial')).toMatchObject({ resources: [{ name: 'partial' }] });
      const wrong = [
        'skill://welcome/',
        'skill://welcome/SKILL.md',
        'skill://none',
        'skill://team',
        'skill://welcome/../refunds',
      ];
      for (const uri of wrong) await expect(read(uri)).rejects.toMatchObject({ code: -32602 });
      return undefined;
    });
  });
});
