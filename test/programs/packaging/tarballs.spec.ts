import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll, PACKAGES, tool } from './packed';
import { run } from './run-command';

const folder = mkdtempSync(join(tmpdir(), 'sigil-tarballs-'));
let tarballs: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  ({ tarballs } = await packAll());
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what is published', () => {
  it.each(PACKAGES)(
    'of %s is found by every tool (publint)',
    async (name) => {
      const { code, stdout } = await run(tool('publint'), ['--strict', tarballs[name] ?? ''], folder);
      expect([stdout, code]).toEqual([expect.not.stringMatching(/Suggestions|Warnings|Errors/), 0]);
    },
    60_000,
  );

  it.each(PACKAGES)('of %s has a page that says what it is, and the license', async (name) => {
    const read = async (file: string): Promise<string> =>
      (await run('tar', ['-xzOf', tarballs[name] ?? '', `package/${file}`], folder)).stdout;
    expect(await read('README.md')).toMatch(
      new RegExp(`^# @sigil-mcp/${name}\\n\\n\\w[^]*npm (install|create) [^]*MIT`),
    );
    expect(await read('LICENSE')).toBe(readFileSync(join(__dirname, '..', '..', '..', 'LICENSE'), 'utf8'));
  });

  it.each(PACKAGES)('of %s leads back to the site and the repository, and is found by its keywords', async (name) => {
    const { stdout } = await run('tar', ['-xzOf', tarballs[name] ?? '', 'package/package.json'], folder);
    expect(JSON.parse(stdout)).toMatchObject({
      homepage: expect.stringMatching(/^https:\/\//),
      repository: { type: 'git', url: expect.stringMatching(/^git\+https:.*\.git$/), directory: `packages/${name}` },
      bugs: { url: expect.stringMatching(/\/issues$/) },
      keywords: expect.arrayContaining(['mcp', 'model-context-protocol']),
    });
  });

  it('of cli has the documentation that sigil docs and sigil explain show', async () => {
    const { stdout } = await run('tar', ['-xzOf', tarballs['cli'] ?? '', 'package/dist/docs.json'], folder);
    expect(JSON.parse(stdout)).toMatchObject({
      site: expect.stringMatching(/^https:/),
      pages: expect.arrayContaining([expect.objectContaining({ path: 'quick-start' })]),
      sections: expect.arrayContaining([expect.objectContaining({ page: 'quick-start' })]),
    });
  });

  it.each(PACKAGES)(
    'of %s has the types of what runs (attw)',
    async (name) => {
      // In every resolution that TypeScript has, that of older projects (node10) included. The jest preset is a setting that jest reads;
      // nobody imports it, so it has no types.
      const exclude = ['--exclude-entrypoints', './jest-preset', './jest-preset.js'];
      const args = [tarballs[name] ?? '', ...(name === 'testing' ? exclude : [])];
      const { code, stdout } = await run(tool('attw'), args, folder);
      expect([stdout, code]).toEqual([stdout, 0]);
    },
    60_000,
  );
});
