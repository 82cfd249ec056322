/**
 * The pictures that chats and networks show for a link to a page: 1200x630, with the title and the description of the page. Chromium draws
 * them; on a machine without it, every page gets the same picture, which is in git.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { readHeads } from './read-heads.mjs';

const { findChromium, openChromium } = createRequire(import.meta.url)('../find-chromium.cjs');

/** Pages that share a picture have a title in common. */
const SHARED_TITLES = {
  api: 'API reference',
  options: 'Decorators and options',
  errors: 'Errors: what each code means, and how to fix it',
};

/**
 * Writes a picture for each page into `social` of the site. Existing pictures are taken from the cache.
 * @param root the repository
 * @param dist the folder of the site
 * @returns `{ drawn, taken }`: the numbers of new pictures, and of those from the cache
 */
export async function drawSocialPictures(root, dist) {
  const folder = join(dist, 'social');
  const cache = join(root, '.sigil', 'social');
  for (const each of [folder, cache]) mkdirSync(each, { recursive: true });
  const cards = new Map(readHeads(dist).map((head) => [basename(head.image), cardOf(head)]));
  if (findChromium() === undefined) return copyCommon(root, folder, [...cards.keys()]);
  const missing = [...cards.values()].filter((card) => !existsSync(cachedAt(cache, card)));
  if (missing.length > 0) await drawAll(missing, cache, iconOf(root));
  for (const [name, card] of cards) copyFileSync(cachedAt(cache, card), join(folder, name));
  return { drawn: missing.length, taken: cards.size - missing.length };
}

function cardOf({ path, image, title, description }) {
  const shared = SHARED_TITLES[basename(image, '.png')];
  const [, kind] = /^(how-to|reference)\//.exec(path) ?? [];
  return {
    label: path === 'index.html' ? '' : kind === 'reference' ? 'Reference' : 'Documentation',
    title: shared ?? title,
    text: shared === undefined ? description : '',
  };
}

function copyCommon(root, folder, names) {
  for (const name of names) copyFileSync(join(root, 'docs', '.vitepress', 'social.png'), join(folder, name));
  return { drawn: 0, taken: names.length };
}

/** The key of a picture: everything that affects it, including this program. */
function cachedAt(cache, card) {
  const digest = createHash('sha256')
    .update(readFileSync(new URL(import.meta.url)))
    .update(JSON.stringify(card));
  return join(cache, `${digest.digest('hex').slice(0, 24)}.png`);
}

async function drawAll(cards, cache, icon) {
  const browser = await openChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
    for (const card of cards) {
      await page.setContent(htmlOf(card, icon));
      writeFileSync(cachedAt(cache, card), await page.screenshot());
    }
  } finally {
    await browser.close();
  }
}

function iconOf(root) {
  return readFileSync(join(root, 'docs', 'public', 'icon.svg'), 'utf8');
}

function htmlOf({ label, title, text }, icon) {
  const size = title.length > 60 ? 56 : title.length > 32 ? 68 : 84;
  return `<!doctype html><style>
    body { margin: 0; width: 1200px; height: 630px; box-sizing: border-box; padding: 76px 84px; display: flex; flex-direction: column;
      background: #0d1b2a; color: #f4f7fa; font-family: 'Inter', system-ui, 'DejaVu Sans', sans-serif;
      background-image: radial-gradient(circle at 100% 0, #1b4b75 0 190px, #17395a 190px 320px, #12293f 320px 470px, transparent 470px); }
    header { display: flex; align-items: center; gap: 22px; font-size: 34px; font-weight: 700; letter-spacing: -0.5px; }
    header svg { width: 60px; height: 60px; } header small { margin-left: auto; font-size: 26px; font-weight: 400; color: #9fc3e3; }
    h1 { margin: auto 0 26px; font-size: ${size}px; line-height: 1.1; letter-spacing: -1.5px; font-weight: 700; text-wrap: balance; }
    p { margin: 0; font-size: 31px; line-height: 1.42; color: #c6d6e5; }
    footer { margin-top: 44px; height: 8px; width: 132px; border-radius: 4px; background: #4aa3ea; }
  </style><header>${icon}Sigil<small>${label}</small></header><h1>${escaped(title)}</h1><p>${escaped(text)}</p><footer></footer>`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
