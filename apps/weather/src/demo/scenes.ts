/** The steps of the demonstration. */
import { heading, item, lines, sent } from './print';
import type { Json, LineClient } from './line-client';

const CLIENT = { name: 'sigil-demo', version: '0.1.0' };

/** The two ways to connect, each with the revision that the demonstration uses. */
const HANDSHAKE = '2025-11-25';
const PER_REQUEST = '2026-07-28';

/** One step of the demonstration. */
export type Scene = (client: LineClient) => Promise<void>;

/** In the order of the demonstration. */
export const SCENES: readonly Scene[] = [
  meet,
  listTools,
  callTool,
  failHelpfully,
  readResource,
  complete,
  getPrompt,
  askStateless,
];

async function meet(client: LineClient): Promise<void> {
  heading(`1. Meet: the handshake of revision ${HANDSHAKE}`);
  const hello = { protocolVersion: HANDSHAKE, capabilities: {}, clientInfo: CLIENT };
  const { protocolVersion, serverInfo, capabilities } = await ask(client, 'initialize', hello);
  client.notify('notifications/initialized');
  item('server', JSON.stringify(serverInfo));
  item('revision', String(protocolVersion));
  item('capabilities', Object.keys(objectOf(capabilities)).join(', '));
}

async function listTools(client: LineClient): Promise<void> {
  heading('2. List: tools for the model, prompts for the user, resources for the application');
  const { tools } = await ask(client, 'tools/list');
  for (const { name, description } of listOf(tools)) item(String(name), String(description));
  const { prompts } = await ask(client, 'prompts/list');
  for (const { name, description } of listOf(prompts)) item(String(name), String(description));
  const { resources } = await ask(client, 'resources/list');
  for (const { uri, description } of listOf(resources)) item(String(uri), String(description));
  const { resourceTemplates } = await ask(client, 'resources/templates/list');
  for (const { uriTemplate, description } of listOf(resourceTemplates)) item(String(uriTemplate), String(description));
}

async function callTool(client: LineClient): Promise<void> {
  heading('3. Call: a tool with a progress token');
  const call = { name: 'compareCities', arguments: { cities: ['Oslo', 'Nairobi', 'Sydney'], month: 'July' } };
  const { structuredContent } = await ask(client, 'tools/call', { ...call, _meta: { progressToken: 'demo' } });
  const { cities, warmest, driest } = objectOf(structuredContent);
  for (const { city, high, low, precipitation } of listOf(cities)) {
    item(String(city), `${String(low)} to ${String(high)} °C, ${String(precipitation)} mm in the month`);
  }
  item('warmest, driest', `${String(warmest)}, ${String(driest)}`);
}

async function failHelpfully(client: LineClient): Promise<void> {
  heading('4. Fail: the answer to a wrong name says how to correct it');
  const { isError, content } = await ask(client, 'tools/call', { name: 'forecast', arguments: { city: 'Olso' } });
  item(`isError: ${String(isError)}`, String(listOf(content)[0]?.['text']));
}

async function readResource(client: LineClient): Promise<void> {
  heading('5. Read: a resource under a template');
  const { contents } = await ask(client, 'resources/read', { uri: 'weather://Cape%20Town/climate' });
  for (const { mimeType, text } of listOf(contents)) item(String(mimeType), String(text));
}

async function complete(client: LineClient): Promise<void> {
  heading('6. Complete: suggestions while a user types');
  const ref = { type: 'ref/resource', uri: 'weather://{city}/climate' };
  const { completion } = await ask(client, 'completion/complete', { ref, argument: { name: 'city', value: 'ca' } });
  item('"ca" may become', JSON.stringify(objectOf(completion)['values']));
}

async function getPrompt(client: LineClient): Promise<void> {
  heading('7. Get: a prompt with its data');
  const { messages } = await ask(client, 'prompts/get', {
    name: 'planTrip',
    arguments: { city: 'Lisbon', month: 'May', days: '4' },
  });
  for (const { role, content } of listOf(messages)) {
    const { type, text, resource } = objectOf(content);
    item(`${String(role)}, ${String(type)}`, String(text ?? objectOf(resource)['uri']));
  }
}

async function askStateless(client: LineClient): Promise<void> {
  heading(`8. The same process, at the same time: revision ${PER_REQUEST}, without a handshake`);
  const { resultType, structuredContent } = await ask(client, 'tools/call', {
    name: 'bestTimeToVisit',
    arguments: { city: 'Reykjavik', taste: 'mild' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': PER_REQUEST,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': CLIENT,
    },
  });
  item('resultType', String(resultType));
  for (const { month, high } of listOf(objectOf(structuredContent)['months']))
    item(String(month), `${String(high)} °C`);
}

/** The last lines: how to configure the server in an AI application. */
export function showConfiguration(file: string): void {
  heading('Now in your AI application: Claude Desktop, Cursor and others read this from their MCP configuration');
  const configuration = { mcpServers: { weather: { command: 'node', args: [file] } } };
  lines(JSON.stringify(configuration, null, 2));
}

function ask(client: LineClient, method: string, params?: Json): Promise<Json> {
  sent(method, params && withoutMeta(params));
  return client.request(method, params);
}

function withoutMeta({ _meta, ...rest }: Json): Json {
  return _meta === undefined ? rest : { ...rest, _meta: '…' };
}

function listOf(value: unknown): Json[] {
  // The demonstration's own server follows the protocol.
  return Array.isArray(value) ? (value as Json[]) : [];
}

function objectOf(value: unknown): Json {
  // As above.
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
