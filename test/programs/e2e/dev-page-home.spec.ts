/** The screen Home of `sigil dev` in a real browser: where an entry stands, how often it was called, and its call in other forms. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';
import { Dev } from './dev-page-program';
import { SHELF } from './dev-page-servers';

jest.setTimeout(180_000);
const shell = promisify(execFile);

describeWith('chromium', 'the screen Home', () => {
  let browser: Browser;
  let dev: Dev;
  beforeAll(async () => {
    browser = await openChromium();
    dev = await Dev.start(SHELF);
    await dev.sees(/version 1 ready/);
  });
  afterAll(async () => {
    await browser.close();
    await dev.end();
  });

  it('opens the source of an entry with one key, and follows it when it moves', async () => {
    const page = await browser.newPage();
    await page.goto([await dev.url(), 'home', 'tool', 'addBook'].join('/'));
    const open = page.locator('.detail a[data-open]');
    await open.waitFor();
    const line = SHELF.slice(0, SHELF.indexOf('addBook(')).split('\n').length;
    expect(await open.getAttribute('href')).toMatch(new RegExp(`^vscode://file/.*/src/server\\.ts:${line}:3$`));
    expect(await page.textContent('.detail .place code')).toBe(`src/server.ts:${line}`);
    await page.evaluate(
      "addEventListener('click', (event) => { window.opened = event.target.closest('a').href; event.preventDefault(); })",
    );
    await page.keyboard.press('o');
    expect(await page.evaluate('window.opened')).toContain(`/src/server.ts:${line}:3`);
    expect(await page.textContent('.facts')).toContain('seen by whom Everybody lets through');
    dev.write(SHELF.replace('@Feature()', '\n\n@Feature()').replace('Puts a book', 'Sets a book'));
    await page.waitForSelector(`.detail .place code:text-is("src/server.ts:${line + 2}")`);
    await page.waitForSelector('.entries a:has-text("addBook") .tag:text-is("changed")');
    await page.close();
  });

  it('counts calls, times and errors, and gives a call that a shell can run', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto([await dev.url(), 'home', 'tool', 'findBook'].join('/'));
    const client = await dev.client();
    await client.callTool({ name: 'boom', arguments: {} });
    await client.callTool({ name: 'boom', arguments: {} });
    const stats = page.locator('.entries a:has-text("boom") .stat');
    await until(async () => (await stats.first().textContent()) === '2×');
    expect(await stats.allTextContents()).toEqual(['2×', expect.stringMatching(/ms$/), '2 !']);
    await page.fill('#field-title', "Emma's");
    await page.keyboard.press('Control+Enter');
    await page.click('button:has-text("Copy as curl")');
    const curl = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(curl).toMatch(/^curl /);
    expect((await shell('bash', ['-c', curl])).stdout).toContain("Emma's");
    await client.close();
    await context.close();
  });
});
