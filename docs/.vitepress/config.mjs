/** The site: static files of the pages of `docs`, which GitHub shows as well. `npm run docs` serves it, scripts/docs.mjs builds it. */
import { defineConfig } from 'vitepress';
import { changedAt } from './dates.mjs';
import { describePage } from './head.mjs';
import { linksToRepository, REPOSITORY, slugOf } from './links.mjs';
import { codeColours } from './markdown/code-colours.mjs';
import { codeOnce } from './markdown/code-once.mjs';
import { diffLines, diffs } from './markdown/diffs.mjs';
import { errorCodes } from './markdown/error-codes.mjs';
import { fileNames } from './markdown/file-names.mjs';
import { narrowCode } from './markdown/narrow-code.mjs';
import { scrolledPictures } from './markdown/pictures.mjs';
import { tabs } from './markdown/tabs.mjs';
import { typedBlocks, types } from './markdown/types.mjs';
import { isGenerated, navigation, sidebars } from './pages.mjs';
import { miniSearch, renderForSearch } from './search.mjs';
import { base, cloneCommand, siteUrl, startCommands, version } from './site.mjs';

export default defineConfig({
  title: 'Sigil',
  description: 'A server framework for the Model Context Protocol in TypeScript',
  lang: 'en',
  base,
  cleanUrls: true,
  // Otherwise every page contains the list of all pages.
  metaChunk: true,
  // VitePress would start git for each page, three times.
  lastUpdated: false,
  sitemap: {
    hostname: siteUrl,
    transformItems: (items) => items.map((item) => ({ ...item, lastmod: changedAt(fileOf(item.url)) })),
  },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  // On a mobile connection, readers should not pay for pages that they do not open.
  router: { prefetchLinks: false },
  vite: { plugins: [narrowCode] },
  cacheDir: '../.sigil/site',
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [types, diffLines, codeColours],
    // Diffs get their language from file names. The rule that was added last runs first.
    config: (md) =>
      md
        .use(linksToRepository)
        .use(scrolledPictures)
        .use(fileNames)
        .use(diffs)
        .use(tabs)
        .use(typedBlocks)
        .use(errorCodes)
        .use(codeOnce),
  },
  transformPageData(pageData) {
    describePage(pageData);
    // Generated pages are changed in their sources.
    if (isGenerated(pageData.relativePath)) pageData.frontmatter.editLink = false;
    else pageData.lastUpdated = changedAt(pageData.relativePath);
  },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    nav: navigation(version),
    sidebar: sidebars(),
    outline: { level: [2, 3], label: 'On this page' },
    socialLinks: [{ icon: 'github', link: REPOSITORY, ariaLabel: 'The repository' }],
    search: { provider: 'local', options: { _render: renderForSearch, miniSearch } },
    docFooter: { prev: 'Previous page', next: 'Next page' },
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
    lastUpdated: { text: 'Last updated', formatOptions: { dateStyle: 'medium' } },
    // For the front page.
    startCommands,
    cloneCommand,
    footer: { message: 'Released under the MIT License.' },
  },
});

/** The file of an address: `dtos.md` of `dtos`, `reference/api/index.md` of `reference/api/`. */
function fileOf(url) {
  return `${url.replace(/(^|\/)$/, '$1index')}.md`;
}
