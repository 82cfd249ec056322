/** What a host reads from a server before it shows a view: the tool, the page and what the page may do. */
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type { TestClient } from '../client/test-client';
import { testingError } from '../errors';
import type { ListToolsAnswer, ReadResourceAnswer } from '../results';
import type { ViewCsp } from '@sigil-mcp/client/wire';

const MIME = 'text/html;profile=mcp-app';

/** A tool as it is listed. */
export type ListedTool = ListToolsAnswer['tools'][number];

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
