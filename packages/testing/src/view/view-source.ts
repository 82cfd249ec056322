/** What a host reads from a server before it shows a view: the tool, the page and what the page may do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ViewCsp } from '@sigil-mcp/client/internal';
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type { TestClient } from '../client/test-client';
import { testingError } from '../errors';
import type { ListToolsAnswer, ReadResourceAnswer } from '../results';

const MIME = 'text/html;profile=mcp-app';

/** A tool as it is listed. */
type ListedTool = ListToolsAnswer['tools'][number];

/** A view, with the tool that it belongs to. */
export interface ViewSource {
  readonly uri: string;
  readonly html: string;
  readonly csp: ViewCsp | undefined;
  /** The permissions that it asks for, such as `camera`. */
  readonly permissions: JsonObject;
  readonly tool: ListedTool;
  /** All tools of the server, by name. */
  readonly tools: ReadonlyMap<string, ListedTool>;
}

/** Reads the view of a tool. @throws SigilError if the tool has no view that a host can show */
export async function readViewSource(client: TestClient, name: string): Promise<ViewSource> {
  const tools = new Map((await listAll(client)).map((tool) => [tool.name, tool]));
  const tool = tools.get(name);
  if (!tool) throw testingError('SIGIL_VIEW_NO_TOOL', { tool: name, known: namesOf(tools) });
  const uri = uiOf(tool)['resourceUri'] ?? objectOf(tool['_meta'])['ui/resourceUri'];
  if (typeof uri !== 'string') throw testingError('SIGIL_VIEW_NO_VIEW', { tool: name });
  const content = await readPage(client, name, uri);
  const ui = Object.keys(uiOf(content)).length > 0 ? uiOf(content) : uiOf(await listedEntry(client, uri));
  const { csp, permissions } = ui;
  return {
    uri,
    html: content.text ?? Buffer.from(content.blob ?? '', 'base64').toString('utf8'),
    // Hosts read it as JSON, too: what is no list of origins is left out where the policy is made.
    csp: csp === undefined ? undefined : objectOf(csp),
    permissions: objectOf(permissions),
    tool,
    tools,
  };
}

/** Who may call a tool: both, if it does not say. */
export function visibilityOf(tool: ListedTool): readonly string[] {
  const { visibility } = uiOf(tool);
  return Array.isArray(visibility) ? visibility.map(String) : ['model', 'app'];
}

/** The names of tools, for a message. */
export function namesOf(tools: ReadonlyMap<string, unknown>): string {
  return [...tools.keys()].join(', ') || 'none';
}

async function readPage(
  client: TestClient,
  tool: string,
  uri: string,
): Promise<ReadResourceAnswer['contents'][number]> {
  const refuse = (reason: string): Error => testingError('SIGIL_VIEW_RESOURCE', { uri, tool, reason });
  const { contents } = await client.readResource(uri).catch((error: unknown) => {
    throw refuse(error instanceof Error ? error.message : String(error));
  });
  const [content] = contents;
  if (!content || contents.length > 1) throw refuse(`it has ${contents.length} contents`);
  if (content.mimeType !== MIME) throw refuse(`its type is ${String(content.mimeType)}`);
  if (content.text === undefined && content.blob === undefined) throw refuse('it has neither text nor bytes');
  return content;
}

async function listAll(client: TestClient): Promise<ListedTool[]> {
  const all: ListedTool[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor });
    all.push(...page.tools);
    cursor = page.nextCursor;
  }
  return all;
}

/** The entry of the list has the metadata that the content does not have; views may be left out of the list. */
async function listedEntry(client: TestClient, uri: string): Promise<JsonObject> {
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await client.listResources(cursor === undefined ? undefined : { cursor });
    const found = page.resources.find((resource) => resource.uri === uri);
    if (found) return found;
    cursor = page.nextCursor;
  }
  return {};
}

const uiOf = (entry: JsonObject): JsonObject => objectOf(objectOf(entry['_meta'])['ui']);

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

// The two pages around a view: the host, and the sandbox of another origin, as the specification asks of hosts that are pages.

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
