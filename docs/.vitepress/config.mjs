/** The site: static files of the pages of `docs`, which are the same that GitHub shows. `npm run docs` serves it, scripts/docs.mjs builds it. */
import { defineConfig } from 'vitepress';
import { linksToRepository, REPOSITORY, slugOf } from './links.mjs';
import { sidebar } from './pages.mjs';
import { renderForSearch } from './search.mjs';

export default defineConfig({
  title: 'Sigil',
  description: 'A server framework for the Model Context Protocol in TypeScript',
  lang: 'en',
  // Where the site is not at the root of its host, as on the pages of a repository: `/sigil/`.
  base: process.env.DOCS_BASE ?? '/',
  cacheDir: '../.sigil/site',
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: linksToRepository,
  },
  themeConfig: {
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'The repository' }],
    search: { provider: 'local', options: { _render: renderForSearch } },
    docFooter: { prev: false, next: false },
  },
});
