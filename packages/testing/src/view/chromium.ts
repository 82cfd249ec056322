/** Finds a Chromium and starts it without windows. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserType } from 'playwright-core';
import type * as Playwright from 'playwright-core';
import { testingError } from '../errors';

/** The names of the program on PATH. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/**
 * Starts a Chromium without windows, for several calls of `renderView`. Close it yourself: `browser.close()`.
 * @param path the program; `CHROME_PATH`, the one of playwright, or an installed Chromium, Chrome or Edge if left out
 * @throws SigilError `SIGIL_VIEW_NO_PLAYWRIGHT` or `SIGIL_VIEW_NO_CHROMIUM` if one of them is not installed
 */
export async function openChromium(path?: string): Promise<Browser> {
  const chromium = loadPlaywright();
  const executablePath = path ?? process.env['CHROME_PATH'] ?? findChromium(chromium);
  if (executablePath === undefined || !existsSync(executablePath))
    throw testingError('SIGIL_VIEW_NO_CHROMIUM', { path: executablePath ?? 'PATH' });
  return chromium.launch({ executablePath, args: ['--disable-dev-shm-usage'] });
}

function loadPlaywright(): BrowserType {
  for (const name of ['playwright-core', 'playwright']) {
    try {
      // An optional peer, loaded by the first view of a test; the library is slow to load.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
      return (require(name) as typeof Playwright).chromium;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw testingError('SIGIL_VIEW_NO_PLAYWRIGHT');
}

function findChromium(chromium: BrowserType): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const programs = folders.flatMap((folder) =>
    NAMES.flatMap((name) => [join(folder, name), join(folder, `${name}.exe`)]),
  );
  return [chromium.executablePath(), ...programs, ...PLACES].find((program) => existsSync(program));
}
