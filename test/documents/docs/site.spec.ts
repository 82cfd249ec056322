/** The site as it is published: built without a dead end, and whole in a browser, on a phone and on a desk. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer';
import type { Browser } from 'playwright-core';
import type { Server } from 'node:http';
import { all, sample } from '../../support/matrix';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { callScript } from '../../judges/scripts/call-script';
import { buildSite, builtPages, dist, readBuilt, readPage, serveSite } from './built-site';
import { askAll } from './ask-all';
import { EVERYDAY_WORDS, QUESTIONS } from './questions';
import { followEach, loadEach, WIDTHS, withPage, type Look } from './visits';

const phone: Look = { width: WIDTHS.phone, dark: true };
const desk: Look = { width: WIDTHS.desk, dark: false };
const screenshots = join(__dirname, '..', '..', '..', '.sigil', 'screenshots');
const PHOTOGRAPHED: readonly (readonly [string, Look])[] = [
  ['index', phone],
  ['asking', { ...phone, dark: false }],
  ['limits', phone],
  ['architecture', { ...desk, dark: true }],
  ['reference/options/core', desk],
];
/** No test has so many pages that it takes minutes. */
const PARTS = 10;
const guide = (path: string): boolean => !/^\/(reference\/(api|options)|errors)\//.test(path);

/** The pages whose turn it is, and the first of each kind: of guides, of modules, of options, of errors. */
function sampleOf(paths: readonly string[]): string[] {
  const kindOf = (path: string): string => path.replace(/[^/]+$/, '');
  const firsts = new Map([...paths].reverse().map((path) => [kindOf(path), path]));
  const chosen = new Set([...sample(paths), ...firsts.values()]);
  return paths.filter((path) => chosen.has(path));
}

let built: Awaited<ReturnType<typeof buildSite>>;
beforeAll(async () => {
  built = await buildSite();
}, 1_500_000);

it('is built without a link or an anchor that leads nowhere, a page that nothing leads to, or one that is too heavy', () => {
  expect(built).toEqual({ status: 0, output: expect.stringMatching(/\d+ pages; the heaviest is/) });
});

it('has a way on, a way to change it and a date on each page of the guide', () => {
  // The pages that are made of the sources cannot be edited, and the first and the last page have one neighbour only.
  const pages = builtPages().filter((path) => /^\/(how-to\/|dtos$|testing$|tutorial$)/.test(path));
  const lacking = pages.flatMap((path) => {
    const html = readPage(path);
    const wanted = {
      'a pager': /class="[^"]*pager-link/,
      'an edit link': /class="[^"]*edit-link-button/,
      'a date': /<time /,
      'a menu': />Reference</,
    };
    return Object.entries(wanted).flatMap(([what, found]) => (found.test(html) ? [] : [`${path} lacks ${what}`]));
  });
  expect([pages.length > 10, lacking]).toEqual([true, []]);
});

it('has all modules of the API, all kinds of errors and all packages with options in the sidebar of their pages', () => {
  const listed = (address: string): (string | undefined)[] => {
    const sidebar = /<aside class="VPSidebar"[\s\S]*?<\/aside>/.exec(readPage(address))?.[0] ?? '';
    return [...sidebar.matchAll(/<p class="text"[^>]*>([^<]+)</g)].map(([, name]) => name);
  };
  expect(listed('/reference/api/fastify')).toEqual(
    expect.arrayContaining(['core: decorators', 'core/stores', 'testing']),
  );
  expect(listed('/errors/skills')).toEqual(expect.arrayContaining(['Views', 'sigil build', 'API']));
  expect(listed('/reference/options/core')).toEqual(expect.arrayContaining(['http', 'tasks', 'Errors']));
});

it('leads the short address of each error to its place', () => {
  const html = readBuilt('e/SIGIL_TOOL_NAME.html');
  const [, address = '', anchor = ''] = /url=\/([^#"]+)#(\w+)"/.exec(html) ?? [];
  expect(readPage(`/${address}`)).toContain(`id="${anchor}"`);
  expect(Buffer.byteLength(html)).toBeLessThan(300);
});

it('has each page as Markdown beside it, and what assistants read of the whole', () => {
  for (const path of ['dtos', 'how-to/errors', 'e/SIGIL_NO_METADATA']) expect(readBuilt(`${path}.md`)).toMatch(/^# /);
  expect(readBuilt('how-to/errors.md')).not.toMatch(/<!--|^---|\]\((?!https:)/m);
  expect(readBuilt('llms.txt')).toMatch(/^# Sigil\n\n> [^\n]+\n[\s\S]+\n- \[[^\]]+\]\(https:[^)]+\/dtos\.md\): \w/);
  expect(readBuilt('llms-full.txt')).toContain(readBuilt('dtos.md'));
  expect(encode(readBuilt('llms-small.txt')).length).toBeLessThanOrEqual(12_000);
  expect(readBuilt('llms-small.txt')).toContain('context.elicit(ReallyCancel');
  // The pictures of the Markdown pages are at the addresses that these name.
  const pictures = [...readBuilt('architecture.md').matchAll(/\/(pictures\/[\w-]+\.svg)\)/g)];
  expect(pictures.length).toBeGreaterThan(1);
  for (const [, picture = ''] of pictures) expect(readBuilt(picture)).toContain('<svg');
});

it('lists its pages in a sitemap, under the address where it is published', () => {
  const sitemap = readBuilt('sitemap.xml');
  expect(sitemap).toMatch(/<loc>https:\/\/[^<]+\/how-to\/errors<\/loc>/);
  expect(sitemap).not.toContain('.html');
});

it('finds the page that somebody wants for an everyday word, and for the code of an error, before all others', () => {
  const words = EVERYDAY_WORDS.map(({ asked }) => asked);
  const found = callScript('../test/documents/docs/search-index.mjs', 'search', dist, words) as string[][];
  const missed = EVERYDAY_WORDS.map((word, index) => ({ ...word, found: found[index] }));
  expect(missed.filter(({ page, found: [first] = [] }) => first !== `/${page}`)).toEqual([]);
});

describeWith('chromium', 'the site in a browser', () => {
  let browser: Browser;
  let site: { server: Server; url: string };
  beforeAll(async () => {
    site = await serveSite();
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    site.server.close();
  });

  it.each(Array.from({ length: PARTS }, (_, part) => part))(
    `has guides that are whole on a phone and on a desk, and that everybody can read in the dark and in the light (part %# of ${PARTS})`,
    async (part) => {
      const pages = sampleOf(builtPages().filter(guide));
      const own = pages.filter((_, index) => index % PARTS === part);
      expect([own.length > 0, await loadEach(browser, site.url, own, all)]).toEqual([true, {}]);
    },
    180_000,
  );

  it.each(Array.from({ length: PARTS }, (_, part) => part))(
    `has pages of the API that are whole on a phone and on a desk, in the dark or in the light (part %# of ${PARTS})`,
    async (part) => {
      const pages = sampleOf(builtPages().filter((path) => !guide(path)));
      const own = pages.filter((_, index) => index % PARTS === part);
      expect([own.length > 0, await followEach(browser, site.url, own, part % 2 === 0)]).toEqual([true, {}]);
    },
    180_000,
  );

  it('is photographed: five pages, in .sigil/screenshots, for people to look at', async () => {
    mkdirSync(screenshots, { recursive: true });
    for (const [path, look] of PHOTOGRAPHED) {
      const file = join(screenshots, `${path.replaceAll('/', '-')}-${look.width}-${look.dark ? 'dark' : 'light'}.png`);
      await withPage(browser, look, async (page) => {
        await page.goto(`${site.url}/${path === 'index' ? '' : path}`, { waitUntil: 'load' });
        await page.screenshot({ path: file });
      });
      expect([file, existsSync(file)]).toEqual([file, true]);
    }
  }, 60_000);

  it('shows the type of a name under the pointer', async () => {
    const shown = await withPage(browser, desk, async (page) => {
      await page.goto(`${site.url}/asking`, { waitUntil: 'load' });
      const name = page.locator('.vp-doc [data-type]', { hasText: /^elicit$/ }).first();
      const tip = page.locator('.type-tip:visible');
      // The page listens when it is alive.
      while (!(await tip.isVisible())) {
        await page.mouse.move(0, 0);
        await name.hover();
      }
      const text = await tip.textContent();
      await page.mouse.move(0, 0);
      await tip.waitFor({ state: 'detached' });
      return text;
    });
    expect(shown).toContain('.elicit<AlertForm>(this: McpContext<AlertForm>, form: Class<AlertForm>, message: string');
  }, 60_000);

  it('shows the same tab on every page once a reader has chosen it', async () => {
    const [first, next] = await withPage(browser, desk, async (page) => {
      const read = (): Promise<string[]> => page.locator('.vp-code-group .blocks > .active').allInnerTexts();
      await page.goto(`${site.url}/how-to/errors`, { waitUntil: 'load' });
      await page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined');
      await page.locator('.vp-code-group label', { hasText: 'Function' }).first().click();
      const all = await read();
      await page.goto(`${site.url}/how-to/prompts`, { waitUntil: 'load' });
      await page.locator('.vp-code-group .blocks > .active', { hasText: '= prompt(' }).waitFor();
      return [all, await read()];
    });
    expect(first).toEqual([expect.stringContaining("tool('book'"), expect.stringContaining('= resource(')]);
    expect(next).toEqual([expect.stringContaining('prompt(')]);
  }, 60_000);

  it('answers what readers ask with the page among the first three that its search finds', async () => {
    const answered = await withPage(browser, desk, (page) => askAll(page, site.url, QUESTIONS));
    expect(answered.filter(({ page, answers }) => !answers.some((path) => path === `/${page}`))).toEqual([]);
  }, 180_000);
});
