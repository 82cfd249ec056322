/** A new project with tokens, developed in one command: `sigil dev` opens its issuer, and people sign in with a browser. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { freePort } from '../../support/free-port';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { describeWithTerminal, sigil, Terminal } from './terminal';

jest.setTimeout(120_000);

const pictures = join(__dirname, '..', '..', '..', '.sigil', 'screenshots');

let folder: string;
let url: string;
const terminals: Terminal[] = [];

function open(args: readonly string[], columns = 1000): Terminal {
  const terminal = new Terminal(args, { columns, cwd: folder, env: { FORCE_COLOR: '0' } });
  terminals.push(terminal);
  return terminal;
}

/** Runs a command that signs in, and returns the address that its user opens. */
async function signIn(...words: string[]): Promise<{ readonly command: Terminal; readonly address: string }> {
  const command = open([...words, '--sign-in']);
  await command.sees('I open that address myself');
  command.press('\u001b[B\r');
  const [address = ''] = /http[!-~]+\/authorize[!-~]+/.exec(command.screen) ?? [];
  return { command, address };
}

describeWithTerminal('sigil dev --issuer, in a new project', () => {
  let dev: Terminal;
  beforeAll(async () => {
    // Within the repository, so that it finds the packages.
    const parent = join(__dirname, '..', '..', '..', '.sigil');
    mkdirSync(parent, { recursive: true });
    folder = join(mkdtempSync(join(parent, 'dev-issuer-')), 'notes');
    const options = ['--transport', 'both', '--tokens', '--yes', '--no-install', '--no-git'];
    expect(await sigil(['new', folder, ...options])).toMatchObject({ status: 0 });
    const port = await freePort();
    url = `http://127.0.0.1:${port}/mcp`;
    dev = open(['dev', '--http', '--port', String(port), '--issuer', 'issuer.mjs'], 160);
    await dev.sees('version 1 ready in');
  });
  afterAll(() => {
    for (const terminal of terminals.splice(0)) terminal.kill();
    rmSync(dirname(folder), { recursive: true, force: true, maxRetries: 20 });
  });

  describeWith('chromium', 'in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openChromium();
    });
    afterAll(() => browser.close());

    it.each([
      ['reader', ['read', 'notes://all'], '{"notes":[]}'],
      ['writer', ['call', 'takeNote', 'title=milk', 'text=Two.'], 'Took the note "milk".'],
      ['admin', ['call', 'takeNote', 'title=tea', 'text=Green.'], 'Took the note "tea".'],
    ])('lets a %s sign in on its page', async (person, [verb = '', ...words], answer) => {
      const { command, address } = await signIn(verb, url, ...words);
      const page = await browser.newPage();
      await page.goto(address);
      expect(await page.textContent('h1')).toBe('Who are you?');
      expect(await page.locator('button[name]').allTextContents()).toHaveLength(3);
      await page.click(`button[value="${person}"]`);
      expect(await page.textContent('body')).toContain('You are signed in');
      expect(await command.exit).toBe(0);
      expect(command.screen.replace(/\s+/g, '')).toContain(answer.replace(/\s+/g, ''));
    });

    it('shows on the page of sigil dev who sees and runs what, and what decided', async () => {
      const [page = ''] = /http:\S+\/__sigil\/#[\w-]+/.exec(dev.screen) ?? [];
      const shown = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await shown.goto([page, 'callers'].join('/'));
      const add = async (person: string, scopes = ''): Promise<void> => {
        await shown.fill('label:has-text("name") input', person);
        await shown.fill('label:has-text("scopes") input', scopes);
        await shown.click('button:has-text("Sign in at the issuer")');
        await shown.waitForSelector(`th:has-text("${person}")`);
      };
      await add('reader');
      await add('writer');
      await add('bob', 'notes:write notes:read');
      const cells = shown.locator('.matrix tbody tr:has-text("takeNote") td');
      for (const [index, words] of ['401', '403 notes:write', 'run', 'run'].entries())
        await cells.nth(index).filter({ hasText: words }).waitFor();
      await cells.nth(1).locator('button').click();
      const decision = await shown.textContent('.decision');
      expect(decision).toContain('In lists: shown, so that the caller can ask for the scopes that it lacks.');
      expect(decision).toMatch(/A call: 403, because a scope is missing: notes:write\./);
      expect(decision).toMatch(/the caller is user reader, with the scopes notes:read and no roles/);
      expect(await shown.textContent('.decision .place code')).toMatch(/^src\/\S+\.ts:\d+$/);
      expect(await shown.getAttribute('.decision a[data-open]', 'href')).toMatch(/^vscode:.*\.ts:\d+:\d+$/);
      await cells.first().locator('button').click();
      expect(await shown.textContent('.decision')).toContain('token');
      mkdirSync(pictures, { recursive: true });
      await shown.screenshot({ path: join(pictures, 'dev-page-callers-matrix.png') });
      await shown.fill('label:has-text("name") input', 'stranger');
      await shown.fill('label:has-text("scopes") input', '');
      await shown.click('button:has-text("Sign in at the issuer")');
      await shown.waitForSelector('text=the issuer knows no "stranger"');
    });
  });

  it('gives tokens to scripts, refuses a reader who writes, and keeps tokens valid over a restart', async () => {
    const [, token = ''] = /curl "([^"]+)\?as=reader"/.exec(dev.screen) ?? [];
    const tokenOf = async (person: string): Promise<string> => (await fetch(`${token}?as=${person}`)).text();
    const take = async (as: string) => sigil(['call', url, 'takeNote', 'title=salt', 'text=Two.', '--token', as]);
    const [reader, writer] = [await tokenOf('reader'), await tokenOf('writer')];
    expect(await take(reader)).toMatchObject({ status: 3, stderr: expect.stringContaining('notes:write') });
    expect(await take(writer)).toMatchObject({ status: 0, stdout: 'Took the note "salt".\n' });
    dev.press('r');
    await dev.sees('version 2 ready in');
    expect(await take(writer)).toMatchObject({ status: 0, stdout: 'Took the note "salt".\n' });
  });
});
