/** The description, address and picture of a page, for search engines and shared links. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './links.mjs';
import { siteUrl, urlOf } from './site.mjs';

/** The number of characters of a description that search engines show. */
const SHOWN = 160;

/** Folders of generated pages, which share one picture each. */
const SHARED_PICTURES = { 'reference/api/': 'api', 'reference/options/': 'options', 'errors/': 'errors' };

/**
 * Completes the data of a page before it is rendered. The description is that of the front matter, or the first sentence of the page.
 * @param pageData from VitePress; changed in place, as VitePress expects of `transformPageData`
 */
export function describePage(pageData) {
  const { relativePath, frontmatter, title } = pageData;
  pageData.description = descriptionOf(relativePath, frontmatter);
  const heading = frontmatter.shareTitle ?? title;
  const picture = `${siteUrl}social/${pictureOf(relativePath)}.png`;
  frontmatter.head = [
    ...(frontmatter.head ?? []),
    ['link', { rel: 'canonical', href: urlOf(relativePath) }],
    ...Object.entries({
      'og:type': relativePath === 'index.md' ? 'website' : 'article',
      'og:site_name': 'Sigil',
      'og:title': heading,
      'og:description': pageData.description,
      'og:url': urlOf(relativePath),
      'og:image': picture,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': `${heading}, a page of the Sigil documentation`,
    }).map(([property, content]) => ['meta', { property, content }]),
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ];
}

/** The name of the picture of a page: `how-to-errors` of `how-to/errors.md`. */
export function pictureOf(relativePath) {
  const shared = Object.keys(SHARED_PICTURES).find((folder) => relativePath.startsWith(folder));
  return shared === undefined ? relativePath.replace(/\.md$/, '').replaceAll('/', '-') : SHARED_PICTURES[shared];
}

/** The description of a page: that of its front matter, or its first sentence. */
export function descriptionOf(relativePath, frontmatter) {
  return frontmatter.description ?? firstSentence(relativePath);
}

function firstSentence(relativePath) {
  const text = plainText(readFileSync(join(root, 'docs', relativePath), 'utf8'));
  const sentences = text.match(/[^.!?]+[.!?]+(?=\s|$)|[^.!?]+$/g) ?? [text];
  return shortened(sentences[0].trim());
}

/** The first paragraph of a page as plain text. */
function plainText(markdown) {
  const body = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/```[\s\S]*?```/g, '')
    .replace(/^(#|\||>|:::|!\[|<).*$/gm, '');
  const paragraph = body.split(/\n{2,}/).find((part) => /\p{L}{3}/u.test(part)) ?? '';
  return paragraph
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function shortened(text) {
  if (text.length <= SHOWN) return text;
  return `${text.slice(0, SHOWN - 1).replace(/[\s,;:]+\S*$/, '')}…`;
}
