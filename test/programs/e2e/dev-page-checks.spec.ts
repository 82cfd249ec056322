/** The screen Checks of `sigil dev` in a real browser: the set-up of the project, and the tests of the file that changed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { Dev } from './dev-page-program';
import { SHELF } from './dev-page-servers';
import { sigil } from './terminal';

jest.setTimeout(240_000);
const pictures = join(__dirname, '..', '..', '..', '.sigil', 'screenshots');
const FINDINGS = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`))';

/** A runner that is set up as a project has it: sources are compiled for it. */
const TRANSFORM = `const { ModuleKind, transpileModule } = require('typescript');
exports.process = (text) => ({ code: transpileModule(text, { compilerOptions: { module: ModuleKind.CommonJS } }).outputText });
`;
const RUNNER = { rootDir: '.', transform: { '\\.ts$': './transform.cjs' } };

describeWith('chromium', 'the screen Checks', () => {
  let browser: Browser;
  let dev: Dev;
  beforeAll(async () => {
    browser = await openChromium();
    dev = await Dev.start(SHELF.replace('Draws the cover', 'TODO: say what it does'));
    await dev.sees(/version 1 ready/);
  });
  afterAll(async () => {
    await browser.close();
    await dev.end();
  });

  it('runs sigil doctor, and shows each fix', async () => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${await dev.url()}/checks`);
    await page.click('button:has-text("Run sigil doctor")');
    await page.waitForSelector('.card.bad .fix');
    expect(await page.textContent('[role=status] .bad')).toMatch(/^\d+ to fix\.$/);
    await page.evaluate(axe.source);
    expect(await page.evaluate<string[]>(FINDINGS)).toEqual([]);
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, 'dev-page-checks-doctor.png') });
    await page.close();
  });

  it('runs sigil check, and shows what each list costs in tokens', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 900 }, colorScheme: 'dark' });
    await page.goto(`${await dev.url()}/checks`);
    await page.click('button:has-text("Run sigil check")');
    await page.waitForSelector('.findings .bad:has-text("error")');
    expect(await page.textContent('.findings:has(.bad)')).toMatch(/cover: the description is a placeholder: "TODO/);
    await page.waitForFunction(
      "/^[1-9]/.test(document.querySelector('.matrix tbody td:nth-child(3)')?.textContent ?? '')",
    );
    await page.evaluate(axe.source);
    expect(await page.evaluate<string[]>(FINDINGS)).toEqual([]);
    await page.screenshot({ path: join(pictures, 'dev-page-checks-definitions-390.png') });
    await page.close();
  });

  it('says what changed of the contract since the last commit', async () => {
    const { folder } = dev.project;
    expect((await sigil(['contract'], { cwd: folder })).status).toBe(0);
    const git = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    for (const words of [
      ['init', '--quiet'],
      ['add', 'sigil.lock.json'],
      ['commit', '--quiet', '--message', 'a'],
    ])
      execFileSync('git', [...git, ...words], { cwd: folder });
    const page = await browser.newPage({ viewport: { width: 390, height: 900 }, colorScheme: 'dark' });
    await page.goto(`${await dev.url()}/checks`);
    await page.click('button:has-text("Compare with the last commit")');
    await page.waitForSelector('text=Nothing changed since the last commit.');
    await dev.nextVersion(() => dev.write(SHELF.replace('Draws the cover', 'Draws the cover and reads your mail')));
    await page.click('button:has-text("Compare with the last commit")');
    await page.waitForSelector('.findings .warn:has-text("security")');
    expect(await page.textContent('.findings:has(.warn)')).toMatch(
      /security\s+cover: its description says something else/,
    );
    await page.evaluate(axe.source);
    expect(await page.evaluate<string[]>(FINDINGS)).toEqual([]);
    await page.screenshot({ path: join(pictures, 'dev-page-checks-contract-390.png') });
    await page.close();
  });

  it('runs the tests of the file that changed, once they are switched on', async () => {
    const { folder } = dev.project;
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
    const files = {
      'package.json': JSON.stringify({ ...manifest, devDependencies: { jest: '^30.0.0' }, jest: RUNNER }),
      'transform.cjs': TRANSFORM,
      'src/title.ts': "export const title: string = 'Emma';\n",
      'test/title.spec.js':
        "const { title } = require('../src/title.ts');\nit('is by Austen', () => expect(title).toBe('Emma'));\n",
      'test/other.spec.js': "it('needs no title', () => undefined);\n",
    };
    await dev.nextVersion(() => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
    });
    const page = await browser.newPage({ viewport: { width: 390, height: 900 }, colorScheme: 'dark' });
    page.setDefaultTimeout(60_000);
    await page.goto(`${await dev.url()}/checks`);
    await page.waitForSelector('label:has-text("run after each change")');
    await page.click('button:has-text("Run all tests")');
    await page.waitForSelector('[role=status] strong.good:has-text("passed in")');
    expect(await page.textContent('.output')).toMatch(/other\.spec\.js[\s\S]*Tests:\s+2 passed|Tests:\s+2 passed/);
    // Only changes that come after sigil dev has answered are its to notice.
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/tests'));
    await page.check('label:has-text("run after each change") input');
    expect((await answered).status()).toBe(200);
    writeFileSync(join(folder, 'src', 'title.ts'), "export const title: string = 'Ulysses';\n");
    await page.waitForSelector('[role=status] code:has-text("src/title.ts")');
    await page.waitForSelector('[role=status] strong.bad:has-text("failed")');
    expect(await page.textContent('.output')).toMatch(/is by Austen[\s\S]*Tests:\s+1 failed, 1 total/);
    await page.evaluate(axe.source);
    expect(await page.evaluate<string[]>(FINDINGS)).toEqual([]);
    await page.screenshot({ path: join(pictures, 'dev-page-checks-tests-390.png') });
    await page.close();
  });
});
