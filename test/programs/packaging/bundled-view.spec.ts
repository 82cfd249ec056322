/** A page that its author bundles: the bridge is imported by its name, with types of the feature, and nothing of the server comes along. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { renderView } from '@sigil-mcp/testing/view';
import { contents, createServer, resource, tool } from '@sigil-mcp/core';
import { describeWith } from '../../support/supplies/supply';

const root = join(__dirname, '..', '..', '..');
const run = promisify(execFile);

describeWith('chromium', 'a page that is bundled', () => {
  // In the repository, because the page imports packages by name.
  mkdirSync(join(root, '.sigil'), { recursive: true });
  const folder = mkdtempSync(join(root, '.sigil', 'bundled-view-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is small, and works in a host', async () => {
    writeFileSync(
      join(folder, 'feature.ts'),
      `import { Feature, Tool } from '@sigil-mcp/core';
      @Feature() export class Greetings { @Tool('Greets') greet(): { greeting: string } { return { greeting: 'Hi' }; } }`,
    );
    writeFileSync(
      join(folder, 'page.ts'),
      `import { connectView, ViewError } from '@sigil-mcp/apps/view';
      import type { Greetings } from './feature';
      connectView<Greetings, 'greet'>().onResult((answer) => {
        document.body.textContent = answer.isError ? String(ViewError) : answer.data.greeting;
      });`,
    );
    const bundle = join(folder, 'page.js');
    const esbuild = join(root, 'node_modules', 'esbuild', 'bin', 'esbuild');
    await run(esbuild, [join(folder, 'page.ts'), '--bundle', '--minify', `--outfile=${bundle}`], { cwd: root });
    const script = readFileSync(bundle, 'utf8');
    expect(script.length).toBeLessThan(9000);
    expect(script).not.toMatch(/node:|require\(|Feature|@sigil-mcp/);

    const uri = 'ui://greetings/page';
    const html = `<!doctype html><html lang="en"><head><title>Page</title></head><body><script>${script}</script></body></html>`;
    const mimeType = 'text/html;profile=mcp-app';
    const server = createServer({
      name: 'greetings',
      version: '1.0.0',
      logger: false,
      features: [
        tool('greet', { description: 'Greets', meta: { ui: { resourceUri: uri } } }, () => ({ greeting: 'Hi' })),
        resource(uri, { name: 'Page', mimeType }, () => contents({ data: html, mimeType })),
      ],
    });
    const shown = await renderView(server, 'greet');
    expect(await shown.text()).toBe('Hi');
    await shown.close();
  });
});
