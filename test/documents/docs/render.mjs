/** Markdown, as the site renders it, for tests: a process that is sent texts, which stand in `docs/page.md`, and answers with their HTML. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { narrow } from '../../../docs/.vitepress/markdown/narrow-code.mjs';

const root = join(import.meta.dirname, '..', '..', '..');
execFileSync(process.execPath, [join(root, 'scripts', 'install-supply.mjs'), 'site'], { cwd: root });
const site = join(root, 'docs', '.vitepress');
const vitepress = createRequire(join(site, 'package.json')).resolve('vitepress');
const { createMarkdownRenderer } = await import(pathToFileURL(vitepress).href);
const { default: config } = await import(pathToFileURL(join(site, 'config.mjs')).href);

const md = await createMarkdownRenderer('docs', config.markdown, '/');
process.on('message', async (text) => process.send(md.render(await narrow(text), { relativePath: 'page.md' })));
