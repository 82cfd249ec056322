/** Before all specs: whoever asks is told the address of one browser, which starts when the first spec asks. */
const { once } = require('node:events');
const { createServer } = require('node:http');
const { findChromium } = require('../../../scripts/find-chromium.cjs');

module.exports = async () => {
  let browser;
  const server = createServer((_request, response) => {
    browser ??= launch();
    browser.then(
      (started) => response.end(started.wsEndpoint()),
      (error) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  process.env.SIGIL_BROWSER = `http://127.0.0.1:${server.address().port}`;
  globalThis.closeBrowser = async () => {
    server.close();
    await (await browser?.catch(() => undefined))?.close();
  };
};

function launch() {
  // Loaded on demand: most runs need no browser.
  const { chromium } = require('playwright-core');
  return chromium.launchServer({
    executablePath: findChromium() ?? '',
    // Its sandbox needs rights that containers do not have.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}
