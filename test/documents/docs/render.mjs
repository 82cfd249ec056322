/** Markdown, as the site renders it, for tests. */
import { createMarkdownRenderer } from 'vitepress';
import config from '../../../docs/.vitepress/config.mjs';
import { narrow } from '../../../docs/.vitepress/markdown/narrow-code.mjs';

/** The HTML of a text that stands in `docs/page.md`. */
export async function render(text) {
  const md = await createMarkdownRenderer('docs', config.markdown, '/');
  return md.render(await narrow(text), { relativePath: 'page.md' });
}
