/** The browser that a machine has, for tests of what people see. */
import { spawnSync } from 'node:child_process';
import type * as Playwright from 'playwright-core';

const PROGRAMS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

function findChromium(): string | undefined {
  const found = PROGRAMS.find((program) => spawnSync(program, ['--version']).status === 0);
  return found && (found.includes('/') || found.includes('\\') ? found : pathOf(found));
}

/** The library wants a whole path. */
function pathOf(program: string): string | undefined {
  return spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim() || undefined;
}

/** Whether there is one. */
export function hasChromium(): boolean {
  return findChromium() !== undefined;
}

/** A browser without windows, which whoever opened it closes. */
export function openChromium(): Promise<Playwright.Browser> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- most who ask what is supplied want no browser, and it takes its time
  const { chromium } = require('playwright-core') as typeof Playwright;
  // Its sandbox wants rights that containers do not give, and the pages are our own.
  return chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
