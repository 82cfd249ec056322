/** The site: static files of the pages of `docs`, which are the same that GitHub shows. `npm run docs` serves it, scripts/docs.mjs builds it. */
import { defineConfig } from 'vitepress';
import { linksToRepository, REPOSITORY, slugOf } from './links.mjs';
import { sidebar } from './pages.mjs';
import { scrolledPictures } from './pictures.mjs';
import { miniSearch, renderForSearch } from './search.mjs';

/** Where the site is not at the root of its host, as on the pages of a repository: `/sigil/`. */
const base = process.env.DOCS_BASE ?? '/';

export default defineConfig({
  title: 'Sigil',
  description: 'A server framework for the Model Context Protocol in TypeScript',
  lang: 'en',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  // A reader on the road pays for the page that they read, and not for all that it links to.
  router: { prefetchLinks: false },
  cacheDir: '../.sigil/site',
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => md.use(linksToRepository).use(scrolledPictures),
  },
  themeConfig: {
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'The repository' }],
    search: { provider: 'local', options: { _render: renderForSearch, miniSearch } },
    docFooter: { prev: false, next: false },
  },
});
