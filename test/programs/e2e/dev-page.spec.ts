/** The page of `sigil dev` in a real browser, while a real client is connected: what it shows, and what it can do. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { freePort } from '../../support/free-port';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';
import { CLI, DevProject } from './dev-project';
import { SharedDevs } from './dev-page-program';
import { HOSTILE, SHELF, thousandTools } from './dev-page-servers';

jest.setTimeout(180_000);

/** Runs in the page, after axe. */
const FINDINGS = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`))';
const pictures = join(__dirname, '..', '..', '..', '.sigil', 'screenshots');

describeWith('chromium', 'the page of sigil dev', () => {
  let browser: Browser;
  const devs = new SharedDevs();
  const pages: Page[] = [];
  const alarms: string[] = [];
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    await devs.end();
  });
  afterEach(async () => {
    // A page that outlives its server tries to connect again.
    for (const page of pages.splice(0)) await page.close();
    expect(alarms.splice(0)).toEqual([]);
  });

  /** A page whose errors, dialogs and foreign requests fail the test. */
  async function open(url: string, width = 1440, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    pages.push(page);
    page.setDefaultTimeout(60_000);
    page.on('pageerror', ({ message }) => alarms.push(message));
    page.on('console', (line) => line.type() === 'error' && alarms.push(line.text()));
    page.on('dialog', (dialog) => {
      alarms.push(`dialog ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    page.on('request', (sent) => {
      if (!sent.url().startsWith(new URL(url).origin) && !sent.url().startsWith('data:')) alarms.push(sent.url());
      if (sent.url().includes(new URL(url).hash.slice(1, 20))) alarms.push('the key is in a request');
    });
    await page.goto(url);
    return page;
  }

  it('shows what a model sees, calls a tool by its form, and shows the message of the server at the field', async () => {
    const dev = await devs.get(SHELF);
    const client = await dev.client();
    const page = await open(await dev.url());
    const { tools } = await client.listTools();
    await page.waitForSelector('.entries a');
    const shown = await page.locator('.entries ul >> nth=0').locator('a > .cut').allTextContents();
    expect(shown).toEqual(tools.map(({ name }) => name));
    await page.click('.entries a:has-text("addBook")');
    await page.selectOption('select[aria-label="Examples"]', { label: 'Adds a novel.' });
    expect([await page.inputValue('#field-title'), await page.inputValue('#field-year')]).toEqual(['Emma', '1815']);
    await page.fill('#field-title', 'Ulysses');
    await page.fill('#field-year', '3000');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.field .problem');
    expect(await page.textContent('.field:has(#field-year) .problem')).toContain('2100');
    await page.fill('#field-year', '1922');
    await page.click('button[aria-label="Add author"]');
    await page.fill('#field-author-name', 'James Joyce');
    await page.click('role=tab[name="JSON"]');
    expect(JSON.parse(await page.inputValue('#json-arguments'))).toEqual({
      title: 'Ulysses',
      year: 1922,
      kind: 'novel',
      author: { name: 'James Joyce' },
    });
    await page.click('button:has-text("Run Ctrl Enter")');
    await page.waitForSelector('.card:not(.bad) pre');
    expect(await page.textContent('.card pre')).toBe('Put Ulysses (1922) by James Joyce on the shelf.');
    await page.click('button:has-text("Run on all revisions")');
    await until(async () => (await page.locator('.answers .card-head').count()) === 5);
    await client.close();
  });

  it('shows the calls of a real client with their questions, times and wire, and sends one again', async () => {
    const dev = await devs.get(SHELF);
    const page = await open(`${await dev.url()}/traffic`);
    const client = await dev.client();
    await page.waitForSelector('.line:has-text("initialize")');
    await client.callTool({ name: 'lend', arguments: { title: 'Emma' } });
    await page.click('.line:has-text("tools/call lend")');
    await page.waitForSelector('.waterfall');
    const detail = page.locator('.detail:has-text("Ada has Emma now.")');
    await detail.waitFor();
    expect(await detail.textContent()).toMatch(/ada-client.*guard Everybody.*Who borrows Emma\?.*Ada has Emma now\./s);
    await page.click('role=tab[name="Wire"]');
    expect(await page.locator('.wire article').count()).toBe(4);
    expect(await page.textContent('.wire')).toContain('"method": "tools/call"');
    await page.goto(page.url().replace(/traffic.*/, 'traffic'));
    await client.callTool({ name: 'addBook', arguments: { title: 'Ulysses', year: 3000 } });
    await page.click('.line:has-text("addBook")');
    await page.click('role=tab[name="Edit and send again"]');
    await page.fill('#again-params', JSON.stringify({ name: 'addBook', arguments: { title: 'Ulysses', year: 1922 } }));
    await page.click('.again button.main');
    await page.waitForSelector('text=Better: it works now');
    await client.close();
  });

  it('tells where a handler has failed, and lets a stranger find and fix it through the page', async () => {
    const dev = await devs.get(SHELF);
    const client = await dev.client();
    await client.callTool({ name: 'boom', arguments: {} });
    const page = await open(`${await dev.url()}/broken`);
    await page.waitForSelector('.excerpt');
    expect(await page.textContent('.excerpt .it')).toContain('books!.join');
    const link = (await page.getAttribute('a[data-open]', 'href')) ?? '';
    expect(link).toMatch(/^vscode:\/\/file\/.*\/src\/server\.ts:\d+:\d+$/);
    dev.write(SHELF.replace("books!.join(', ')", "books?.join(', ') ?? 'nothing'"));
    await page.goto(page.url().replace(/broken.*/, 'home/tool/boom'));
    // The system may report the writing of the first version late, and then the second one is the first once more.
    await until(async () => {
      await page.click('button:has-text("Run Ctrl Enter")');
      await page.waitForSelector('.card pre');
      return (await page.locator('.card:not(.bad) pre').count()) > 0;
    }, 60_000);
    await page.click('button:has-text("Write a test")');
    await page.waitForSelector('text=test/boom.spec.ts');
    const spec = readFileSync(join(dev.project.folder, 'test', 'boom.spec.ts'), 'utf8');
    expect(spec).toContain("client.callTool('boom', {})");
    expect(spec).toContain("text: 'nothing'");
    await client.close();
  });

  it('works while the server is broken, names the line, and says that the last version goes on', async () => {
    const dev = await devs.get(SHELF);
    const client = await dev.client();
    const page = await open(await dev.url());
    await page.waitForSelector('.entries a');
    dev.write(SHELF.replace('return `Put', 'return 1 + wrong + `Put'));
    await page.click('.banner:has-text("It does not compile.")');
    await page.waitForSelector('text=/Version \\d goes on for your clients/');
    expect(await page.textContent('.card .message')).toContain("Cannot find name 'wrong'");
    expect(await page.textContent('.excerpt mark')).toBe('wrong');
    expect(await client.callTool({ name: 'cover', arguments: {} })).toBeDefined();
    dev.write(SHELF.replace("@Tool('Draws the cover')", "@Tool('')"));
    await page.waitForSelector('text=It does not start.');
    expect(await page.textContent('.card')).toContain('SIGIL_BLANK_WORDS');
    dev.write(SHELF.replace("@Tool('Draws the cover')\n  cover", "@Tool('Draws the cover')\n  drawCover"));
    await page.waitForSelector('text=Nothing keeps the server from running');
    await page.goto(page.url().replace(/broken.*/, 'traffic'));
    await page.waitForSelector('.mark:has-text("+drawCover"):has-text("-cover")');
    await client.close();
  });

  it.each(['', '2025-11-25'])('answers a question by hand, in the revision %j', async (revision) => {
    const dev = await devs.get(SHELF);
    const page = await open([await dev.url(), 'home', 'tool', 'lend'].join('/'));
    await page.waitForSelector('#field-title');
    if (revision !== '') await page.selectOption('label:has-text("revision") select', revision);
    await page.fill('#field-title', 'Emma');
    await page.keyboard.press('Control+Enter');
    await page.click('.banner:has-text("Who borrows Emma?")');
    await page.fill('#field-name', 'Bob');
    await page.click('button:has-text("Accept")');
    await page.waitForSelector('text=Nothing is asked');
    await page.goto(page.url().replace(/questions.*/, 'traffic'));
    await page.click('.line:has-text("tools/call lend")');
    await page.waitForSelector('text=Bob has Emma now.');
    if (revision === '') expect(await page.textContent('.facts')).toContain('2 rounds');
  });

  it('shows hostile names, descriptions, results and logs as text', async () => {
    const dev = await devs.get(HOSTILE);
    const client = await dev.client('<img src=x onerror=alert(1)>');
    const url = await dev.url();
    const page = await open(url);
    await client.callTool({ name: 'attack', arguments: {} });
    await client.callTool({ name: 'attackImage', arguments: {} });
    await client.callTool({ name: 'fail', arguments: {} });
    for (const path of ['home', 'home/tool/attack', 'traffic', 'broken', 'checks', 'questions', 'callers']) {
      await page.goto(`${url}/${path}`);
      await page.waitForSelector('main :is(h2, h3, a, button):visible');
    }
    await page.goto(`${url}/traffic`);
    await page.fill('[data-filter]', 'tools/call');
    for (const name of ['attack', 'attackImage', 'fail']) {
      await page.click(`.line:has(b:text-is("${name}"))`);
      for (const tab of ['Tree', 'Raw', 'As the model reads it']) await page.click(`role=tab[name="${tab}"]`);
      await page.click('role=tab[name="Wire"]');
    }
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(
      await page.locator('main script, main iframe, main object, main [onerror], main a[href^="javascript"]').count(),
    ).toBe(0);
    await client.close();
  });

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('has no finding of axe at %i pixels, %s', async (width, scheme) => {
    const dev = await devs.get(SHELF);
    const client = await dev.client();
    await client.callTool({ name: 'boom', arguments: {} });
    await client.callTool({ name: 'lend', arguments: { title: 'Emma' } });
    const url = await dev.url();
    const page = await open(url, width, scheme);
    const findings: string[] = [];
    mkdirSync(pictures, { recursive: true });
    for (const path of ['home', 'home/tool/addBook', 'traffic', 'broken', 'callers', 'questions', 'checks']) {
      await page.goto(`${url}/${path}`);
      await page.waitForSelector('main :is(h2, h3, a, button):visible');
      await page.evaluate(axe.source);
      findings.push(...(await page.evaluate<string[]>(FINDINGS)).map((one) => `${path}: ${one}`));
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (overflow > 0) findings.push(`${path} is ${overflow} pixels too wide`);
      await page.screenshot({ path: join(pictures, `dev-page-${path.split('/')[0]}-${width}-${scheme}.png`) });
    }
    expect(findings).toEqual([]);
    await client.close();
  });

  it('goes everywhere by keys', async () => {
    const dev = await devs.get(SHELF);
    const page = await open(await dev.url());
    await page.waitForSelector('.entries a');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('addb');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#field-year');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('lend');
    await until(async () => (await page.locator('.entries a').count()) === 1);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  });

  it('draws a few of a thousand tools, and all of them for somebody who wants that', async () => {
    const dev = await devs.get(thousandTools());
    const page = await open(await dev.url());
    await page.waitForSelector('text=Show all 1000');
    const entries = page.locator('.entries a');
    expect(await entries.count()).toBe(150);
    await page.click('text=Show all 1000');
    await until(async () => (await entries.count()) === 1000);
  });

  it('stands beside a client on stdin and stdout, without touching its session', async () => {
    const project = new DevProject();
    writeFileSync(join(project.folder, 'src', 'server.ts'), SHELF);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'dev'],
      cwd: project.folder,
      stderr: 'pipe',
    });
    let stderr = '';
    transport.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString('utf8')));
    const client = new Client({ name: 'pipe-client', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    try {
      await client.connect(transport);
      await until(() => /page: http\S+\n/.test(stderr), 60_000);
      const page = await open(/page: (http\S+)/.exec(stderr)?.[1] ?? '');
      await page.waitForSelector('.entries a');
      await page.click('.entries a:has-text("findBook")');
      await page.fill('#field-title', 'Emma');
      await page.keyboard.press('Control+Enter');
      await page.waitForSelector('.card:has-text("Jane Austen")');
      await page.selectOption('label:has-text("revision") select', '2025-06-18');
      await page.click('button:has-text("Run Ctrl Enter")');
      await page.waitForSelector('.card:has-text("2025-06-18"):has-text("Jane Austen")');
      expect(await client.callTool({ name: 'findBook', arguments: { title: 'Emma' } })).toMatchObject({
        isError: false,
      });
      await page.goto(page.url().replace(/home.*/, 'traffic'));
      await page.waitForSelector('.line:has-text("pipe-client"):has-text("findBook")');
      await page.waitForSelector('.line:has-text("sigil dev page"):has-text("findBook")');
      await page.close();
    } finally {
      await client.close();
      project.remove();
    }
  });

  it('is not there with --no-page', async () => {
    const project = new DevProject();
    const port = await freePort();
    const dev = spawn(process.execPath, [CLI, 'dev', '--http', '--port', String(port), '--no-page'], {
      cwd: project.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    dev.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    try {
      await until(() => stderr.includes('version 1 ready'), 60_000);
      expect(stderr).not.toContain('__sigil');
      expect((await fetch(`http://127.0.0.1:${port}/__sigil/`)).status).toBe(404);
    } finally {
      dev.kill();
      await new Promise((resolve) => dev.once('exit', resolve));
      project.remove();
    }
  });
});

describe('what is built and what other commands load', () => {
  const run = (args: readonly string[], cwd: string): string =>
    execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

  it('holds nothing of the page in a bundle', () => {
    const project = new DevProject();
    try {
      run([CLI, 'build'], project.folder);
      const bundle = readFileSync(join(project.folder, 'bundle', 'main.cjs'), 'utf8');
      expect(bundle).toContain('Tells the version');
      expect(bundle).not.toMatch(/__sigil|x-sigil-key|preact|dev-page/);
    } finally {
      project.remove();
    }
  });

  it('loads nothing of the page for any other command', () => {
    const commands = join(dirname(CLI), 'commands', 'dev.js');
    const built = (name: string): string => `require(${JSON.stringify(join(dirname(CLI), name))})`;
    const loaded = `const { createProgram } = ${built('run-cli.js')}; const { Shell } = ${built('terminal/shell.js')};
      createProgram(new Shell()); console.log(Object.keys(require.cache).join('\\n'))`;
    const files = run(['-e', loaded], __dirname).split('\n');
    expect(files).toContain(commands);
    expect(files.filter((file) => /dev-page|packages.inspector|preact|htm[/\\]/.test(file))).toEqual([]);
  });
});
