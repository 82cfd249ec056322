/** The browser of this machine: for tests of the user interface, and for the pictures of shared links. */
const { spawnSync } = require('node:child_process');

const PROGRAMS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The full path of the program, or undefined. */
function findChromium() {
  const found = PROGRAMS.find((program) => spawnSync(program, ['--version']).status === 0);
  if (found === undefined || /[/\\]/.test(found)) return found;
  return spawnSync('which', [found], { encoding: 'utf8' }).stdout.trim() || undefined;
}

/** A headless browser. Its sandbox needs rights that containers do not have, and the pages are our own. */
function openChromium() {
  // Loaded on demand: most callers only need the path, and the library is slow to load.
  const { chromium } = require('playwright-core');
  return chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

module.exports = { findChromium, openChromium };
