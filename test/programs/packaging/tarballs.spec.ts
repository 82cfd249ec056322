import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packAll, PACKAGES } from './packed';
import { run, runWell } from './run-command';

const folder = mkdtempSync(join(tmpdir(), 'sigil-tarballs-'));
let tarballs: Readonly<Record<string, string>> = {};
/** What publint and attw have to say of each. */
let judged: Readonly<Record<string, { readonly publint: readonly string[]; readonly attw: readonly unknown[] }>>;
beforeAll(async () => {
  ({ tarballs } = await packAll());
  const judge = join(__dirname, 'judge-tarballs.mjs');
  judged = JSON.parse(await runWell(process.execPath, [judge, ...Object.values(tarballs)], folder)) as typeof judged;
}, 240_000);
const judgedOf = (name: string): (typeof judged)[string] | undefined => judged[tarballs[name] ?? ''];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what is published', () => {
  it.each(PACKAGES)('of %s is found by every tool (publint)', (name) => {
    expect(judgedOf(name)?.publint).toEqual([]);
  });

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

  it.each(PACKAGES)('of %s has the types of what runs (attw)', (name) => {
    expect(judgedOf(name)?.attw).toEqual([]);
  });
});
