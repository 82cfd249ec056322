/** A browser that opens pages and says what is wrong with them. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';

/** How a page is looked at. */
export interface Look {
  readonly width: number;
  readonly dark: boolean;
}

/** What is wrong -> the pages on which it is. */
export type Findings = Record<string, string[]>;

const APP = 'document.querySelector("#app").__vue_app__';
const PROVIDED = `${APP}._context.provides`;
const ROUTER = `${PROVIDED}[Object.getOwnPropertySymbols(${PROVIDED}).find((key) => ${PROVIDED}[key]?.go)]`;

/** The widths of a phone and of a desk, in pixels. */
export const WIDTHS = { phone: 390, desk: 1440 } as const;

/** Opposite looks: another width in another scheme. Each page has the pair whose turn it is. */
const PAIRS: readonly (readonly [Look, Look])[] = [
  [
    { width: WIDTHS.phone, dark: true },
    { width: WIDTHS.desk, dark: false },
  ],
  [
    { width: WIDTHS.desk, dark: true },
    { width: WIDTHS.phone, dark: false },
  ],
  [
    { width: WIDTHS.phone, dark: false },
    { width: WIDTHS.desk, dark: true },
  ],
  [
    { width: WIDTHS.desk, dark: false },
    { width: WIDTHS.phone, dark: true },
  ],
];

/**
 * Loads each page from its address, and shows it in two opposite looks: each page is seen at both widths and in both schemes, and what all
 * pages share in every look. Axe judges it in the first look.
 * @param isThorough axe judges everything in the opposite look, too; only the colours if false
 */
export function loadEach(
  browser: Browser,
  url: string,
  paths: readonly string[],
  isThorough: boolean,
): Promise<Findings> {
  return visitEach(browser, { width: WIDTHS.desk, dark: false }, paths, async (page, path) => {
    const findings: string[] = [];
    const pair = PAIRS[paths.indexOf(path) % PAIRS.length] ?? [];
    for (const [index, look] of pair.entries()) {
      await page.setViewportSize({ width: look.width, height: 900 });
      await page.emulateMedia({ colorScheme: look.dark ? 'dark' : 'light' });
      if (index === 0) await load(page, `${url}${path}`);
      await page.waitForFunction(`document.documentElement.classList.contains('dark') === ${look.dark}`);
      findings.push(...(await widthOf(page, look.width)));
      findings.push(...(await judge(page, index === 0 || isThorough ? undefined : COLOURS)));
    }
    return findings;
  });
}

/** Loads the first page and goes on to the others as a link does, each at both widths; axe judges some. */
export function followEach(browser: Browser, url: string, paths: readonly string[], dark: boolean): Promise<Findings> {
  return visitEach(browser, { width: WIDTHS.phone, dark }, paths, async (page, path) => {
    const index = paths.indexOf(path);
    if (index === 0) await load(page, `${url}${path}`);
    else await page.evaluate(`${ROUTER}.go(${JSON.stringify(path)})`);
    const heading = await page.locator('main h1').count();
    const judged = index % 25 === 0 ? await judge(page) : [];
    const findings = heading === 1 ? [] : [`has ${heading} headings`];
    // The first is the width that the page before had: a page that changes its width is laid out anew.
    const widths = index % 2 === 0 ? [WIDTHS.phone, WIDTHS.desk] : [WIDTHS.desk, WIDTHS.phone];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      findings.push(...(await widthOf(page, width)));
    }
    return [...findings, ...judged];
  });
}

/** A page of its own, which is closed when the work is done. */
export async function withPage<T>(browser: Browser, look: Look, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: 900 },
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

function visitEach(
  browser: Browser,
  look: Look,
  paths: readonly string[],
  visit: (page: Page, path: string) => Promise<string[]>,
): Promise<Findings> {
  return withPage(browser, look, async (page) => {
    const findings: Findings = {};
    const said: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') said.push(`the console has: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => said.push(`an error was thrown: ${error.message}`));
    for (const path of paths) {
      for (const what of [...(await visit(page, path)), ...said.splice(0)]) (findings[what] ??= []).push(path);
    }
    return findings;
  });
}

async function load(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForFunction('document.querySelector("#app")?.__vue_app__ !== undefined');
}

async function widthOf(page: Page, width: number): Promise<string[]> {
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  // A block that is wider is scrolled; on a desk a line of code that goes on below is as hard to read.
  const wide = await page.evaluate<string[]>(`[...document.querySelectorAll('.vp-doc pre.vp-code')].flatMap((block) => {
    if (block.clientWidth > 0 && block.scrollWidth > block.clientWidth + 1) return [block.textContent.slice(0, 60)];
    // A diff shows lines as they stand in files that people have, and nobody writes the signatures of the API.
    if (innerWidth < 1440 || location.pathname.includes('/reference/api/') || block.matches('.has-diff') || !block.closest('.language-ts, .language-js, .language-json')) return [];
    const height = parseFloat(getComputedStyle(block.querySelector('code')).lineHeight) * 1.5;
    return [...block.querySelectorAll('.line')].filter((line) => line.offsetHeight > height).map((line) => line.textContent)
      // What travels is shown as it is.
      .filter((text) => !/^ *[←→]/.test(text));
  })`);
  const blocks = wide.map((line) => `has code that is wider than its column at ${width} px: ${line.trim()}`);
  return [...(overflow > 0 ? [`is wider than ${width} px`] : []), ...blocks];
}

/** The rules of axe that ask for colours: the others say the same in the dark and in the light. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** @param rules of axe; all if left out */
async function judge(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes: [node] }) => `axe says ${id} of ${node?.html.replace(/ data-v-\w+=""/g, '')}`);
}
