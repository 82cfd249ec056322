/** The browser that a machine has: for tests of what people see, and for the pictures of pages that are shared. */
const { spawnSync } = require('node:child_process');

const PROGRAMS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The whole path of the program, or undefined. */
function findChromium() {
  const found = PROGRAMS.find((program) => spawnSync(program, ['--version']).status === 0);
  if (found === undefined || /[/\\]/.test(found)) return found;
  return spawnSync('which', [found], { encoding: 'utf8' }).stdout.trim() || undefined;
}

/** A browser without windows. Its sandbox wants rights that containers do not give, and the pages are our own. */
function openChromium() {
  // Most who ask for the path alone want no browser, and the library takes its time.
  const { chromium } = require('playwright-core');
  return chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

module.exports = { findChromium, openChromium };
