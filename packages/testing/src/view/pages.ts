/** The two pages around a view: the host, and the sandbox of another origin, as the specification asks of hosts that are pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The origins of a test: nothing is served there, the browser receives the pages from the test process. */
export const HOST_ORIGIN = 'https://host.sigil.test';
/** Of another origin, so that a view cannot reach the host. */
export const SANDBOX_ORIGIN = 'https://view.sigil.test';

/** The script of the host; the build writes it next to the bundle. */
export function hostScript(): string {
  return readFileSync(join(distFolder(), 'view', 'view-host.js'), 'utf8');
}

/** The page of the host: the view fills its width. */
export function hostPage(theme: 'light' | 'dark'): string {
  const background = theme === 'dark' ? '#1f1e1d' : '#ffffff';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title><style>
html { color-scheme: ${theme}; background: ${background}; } body { margin: 0 }
iframe { display: block; border: 0; width: 100%; height: 150px; }
</style></head><body></body></html>`;
}

/** The page of the sandbox: it holds the view, and passes messages on. Its policy applies to the view, too. */
export const SANDBOX_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sandbox</title><style>
html, body { margin: 0; height: 100% } iframe { display: block; border: 0; width: 100%; height: 100% }
</style></head><body><script>
(() => {
  const HOST = '${HOST_ORIGIN}';
  const view = document.createElement('iframe');
  view.title = 'view';
  view.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms');
  addEventListener('message', ({ source, origin, data }) => {
    if (source === parent && origin === HOST) {
      if (data?.method === 'ui/notifications/sandbox-resource-ready') show(data.params);
      else view.contentWindow?.postMessage(data, '*');
    } else if (source === view.contentWindow && !String(data?.method).startsWith('ui/notifications/sandbox-')) {
      parent.postMessage(data, HOST);
    }
  });
  function show({ html, permissions = {} }) {
    const features = { clipboardWrite: 'clipboard-write' };
    view.allow = Object.keys(permissions).map((name) => features[name] ?? name).join('; ');
    document.body.append(view);
    const page = view.contentDocument;
    page.open();
    page.write(html);
    page.close();
  }
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, HOST);
})();
</script></body></html>`;

/** The `dist` of this package, from its bundle and from its sources. */
function distFolder(): string {
  return __dirname.endsWith('dist') ? __dirname : join(__dirname, '..', '..', 'dist');
}
