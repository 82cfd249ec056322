/** Markdown, as the site renders it, for tests: a process that is sent texts, which stand in `docs/page.md`, and answers with their HTML. */
import { createMarkdownRenderer } from 'vitepress';
import config from '../../../docs/.vitepress/config.mjs';
import { narrow } from '../../../docs/.vitepress/markdown/narrow-code.mjs';

const md = await createMarkdownRenderer('docs', config.markdown, '/');
process.on('message', async (text) => process.send(md.render(await narrow(text), { relativePath: 'page.md' })));
