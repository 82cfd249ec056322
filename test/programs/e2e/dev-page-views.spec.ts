/** Views of tools on the page of `sigil dev`, in a real browser: shown as a host shows them, and kept away from the page. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';
import { DEV_WAYS, type Dev } from './dev-page-program';

jest.setTimeout(180_000);
const pictures = join(__dirname, '..', '..', '..', '.sigil', 'screenshots');

const SERVER = `import { apps, View } from '@sigil-mcp/apps';
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { IsInt, IsString } from 'class-validator';

class City { @IsString() city!: string; }
class Count { @IsInt() count!: number; }
let count = 0;

@Feature()
export class Cities {
  @Tool('Shows a city', { view: 'page' })
  city({ city }: City): object { return { content: [{ type: 'text', text: 'All about ' + city }] }; }
  @Tool('Counts, for views alone', { visibleTo: ['app'] })
  raise(): Count { return Object.assign(new Count(), { count: (count += 1) }); }
  @Tool('Is for models alone', { visibleTo: ['model'] })
  secret(): string { return 'secret'; }
  @View('ui://cities/city', { file: './city.html' })
  readonly page!: View;
  @Tool('Shows a hostile page', { view: 'hostile' })
  attack(): string { return 'attacks'; }
  @View('ui://cities/hostile', { file: './hostile.html' })
  readonly hostile!: View;
}
export const server = createServer({ name: 'cities', version: '1.0.0', features: [Cities], extensions: [apps()], logger: 'warn' });
`;

/** Speaks the protocol of views by hand, so that the test needs no other code. */
const CITY = `<!doctype html><html lang="en"><head><title>City</title>
<style>body { font: 14px sans-serif } .dark { background: #111; color: #eee }</style></head>
<body><h1></h1><p id="input"></p><p id="calls"></p><button>Raise</button><script>
let last = 0;
const waiting = new Map();
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const ask = (method, params) => new Promise((done) => { waiting.set(++last, done); send({ id: last, method, params }); });
addEventListener('message', ({ data }) => {
  if (data.method === 'ui/notifications/tool-input') document.querySelector('#input').textContent = JSON.stringify(data.params.arguments);
  if (data.method === 'ui/notifications/tool-result') document.querySelector('h1').textContent = data.params.content[0].text;
  if (data.method === 'ui/notifications/host-context-changed') document.body.className = data.params.theme;
  if (data.method === undefined) waiting.get(data.id)?.(data.result ?? data.error);
});
document.querySelector('button').onclick = async () => {
  const raised = await ask('tools/call', { name: 'raise', arguments: {} });
  const refused = await ask('tools/call', { name: 'secret', arguments: {} });
  document.querySelector('#calls').textContent = JSON.stringify([raised.structuredContent, refused.message]);
};
ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'city', version: '1' }, appCapabilities: {} }).then(({ hostContext }) => {
  document.body.className = hostContext.theme;
  send({ method: 'ui/notifications/initialized' });
  send({ method: 'ui/notifications/size-changed', params: { height: 321 } });
});
</script></body></html>`;

/** Tries what a view must not be able to do, and says what has worked. */
const HOSTILE = `<!doctype html><html lang="en"><head><title>Hostile</title></head><body><p id="done"></p><script>
const worked = [];
const attempt = async (name, work) => { try { const got = await work(); if (got !== undefined && got !== null && got !== '') worked.push(name + ': ' + got); } catch {} };
(async () => {
  const page = location.ancestorOrigins[0];
  await attempt('key', () => parent.location.hash);
  await attempt('top', () => top.location.href);
  await attempt('document', () => parent.document.title);
  await attempt('storage', () => parent.sessionStorage.getItem('callers'));
  await attempt('own storage', () => { localStorage.setItem('x', '1'); return 'stored'; });
  await attempt('leads the page away', () => { top.location.href = 'about:blank#stolen'; return undefined; });
  await attempt('fetch', async () => (await fetch(page + '/__sigil/')).status);
  await attempt('api', async () => (await fetch(page + '/__sigil/api/list', { method: 'POST', body: '{}' })).status);
  await attempt('image', () => new Promise((done, fail) => { const image = new Image(); image.onload = () => done('loaded'); image.onerror = fail; image.src = page + '/__sigil/icon.svg'; }));
  await attempt('window', () => open('about:blank') && 'opened');
  await attempt('frame', () => new Promise((done) => { const frame = document.createElement('iframe'); frame.src = page + '/__sigil/'; frame.onload = () => { try { done(frame.contentDocument && 'framed'); } catch { done(); } }; document.body.append(frame); setTimeout(done, 1000); }));
  parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/open-link', params: { url: 'javascript:alert(1)' } }, '*');
  parent.postMessage({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'secret', arguments: {} } }, '*');
  parent.postMessage({ jsonrpc: '2.0', id: 3, method: 'sampling/createMessage', params: {} }, '*');
  document.querySelector('#done').textContent = 'worked: ' + worked.join(', ');
})();
</script></body></html>`;

describeWith('chromium', 'the views of the page', () => {
  describe.each(Object.entries(DEV_WAYS))('over %s', (_, start) => viewsOf(start));
});

function viewsOf(start: (typeof DEV_WAYS)[string]): void {
  let browser: Browser;
  let dev: Dev;
  let page: Page;
  beforeAll(async () => {
    browser = await openChromium();
    dev = await start(SERVER, { 'src/city.html': CITY, 'src/hostile.html': HOSTILE });
    await dev.sees(/version 1 ready/);
  });
  afterAll(async () => {
    await browser.close();
    await dev.end();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'dark' });
    page.setDefaultTimeout(60_000);
  });
  afterEach(() => page.close());

  it('shows the view of a result, with its input, its size, its look and its calls', async () => {
    await page.goto([await dev.url(), 'home', 'tool', 'city'].join('/'));
    await page.fill('#field-city', 'Oslo');
    await page.keyboard.press('Control+Enter');
    const view = page.frameLocator('iframe.view');
    await view.locator('h1:has-text("All about Oslo")').waitFor();
    expect(await view.locator('#input').textContent()).toBe('{"city":"Oslo"}');
    expect(await view.locator('body').getAttribute('class')).toBe('dark');
    await until(async () => (await page.getAttribute('iframe.view', 'height')) === '321');
    await view.locator('button').click();
    await view.locator('#calls:has-text("count")').waitFor();
    expect(await view.locator('#calls').textContent()).toBe('[{"count":1},"Views may not call the tool secret."]');
    await page.emulateMedia({ colorScheme: 'light' });
    await until(async () => (await view.locator('body').getAttribute('class')) === 'light');
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, 'dev-page-view.png') });
    await page.goto(page.url().replace(/home.*/, 'traffic'));
    await page.waitForSelector('.line:has-text("sigil dev page"):has-text("tools/call raise")');
  });

  it('keeps a hostile view from the page, its key and its routes', async () => {
    const url = await dev.url();
    const asked: string[] = [];
    page.on('request', (sent) => {
      if (sent.frame() !== page.mainFrame()) asked.push(sent.url());
    });
    await page.goto([url, 'home', 'tool', 'attack'].join('/'));
    await page.click('button:has-text("Run Ctrl Enter")');
    const done = page.frameLocator('iframe.view').locator('#done:has-text("worked")');
    await done.waitFor();
    expect(await done.textContent()).toBe('worked: ');
    expect(page.url()).toBe([url, 'home', 'tool', 'attack'].join('/'));
    // The view itself, on another origin, and nothing that the server of the page has answered.
    const origin = new URL((await page.getAttribute('iframe.view', 'src')) ?? '').origin;
    expect(origin).not.toBe(new URL(url).origin);
    expect(asked.filter((each) => each.includes('/api/'))).toEqual([]);
    expect(await page.getAttribute('iframe.view', 'sandbox')).not.toContain('allow-same-origin');
    expect((await fetch(`${origin}/`)).status).toBe(404);
    await page.goto(`${url}/traffic`);
    await page.waitForSelector('.line:has-text("tools/call attack")');
    expect(await page.locator('.line:has-text("secret")').count()).toBe(0);
  });
}
