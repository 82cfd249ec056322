/** Neutral values with every member set, so that each revision has something to leave out. */
import type {
  Annotations,
  ContentBlock,
  CreateMessageParams,
  ElicitFormParams,
  ElicitUrlParams,
  FormField,
  Icon,
  Implementation,
  Meta,
  Method,
  Prompt,
  Resource,
  ResourceContents,
  ResourceTemplate,
  ResultOf,
  ServerCapabilities,
  ServerNotification,
  Tool,
} from '@sigil-mcp/protocol';

const _meta: Meta = { 'com.example/note': 'kept' };
const icons: readonly Icon[] = [
  { src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' },
];
const annotations: Annotations = { audience: ['user'], priority: 0.5, lastModified: '2025-01-01T00:00:00Z' };

export const server: Implementation = {
  name: 'weather',
  version: '1.0.0',
  title: 'Weather',
  description: 'Tells the weather',
  websiteUrl: 'https://example.com',
  icons,
};

export const capabilities: ServerCapabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
  experimental: { 'com.example/x': {} },
  extensions: { 'com.example/y': {} },
};

export const contents: readonly ResourceContents[] = [
  { uri: 'weather://oslo', mimeType: 'text/plain', text: 'rain', _meta },
  { uri: 'weather://oslo/map', mimeType: 'image/png', blob: 'AAEC', _meta },
];

export const text: ContentBlock = { type: 'text', text: 'rain', annotations, _meta };
export const audio: ContentBlock = { type: 'audio', data: 'AAECAw==', mimeType: 'audio/wav', annotations, _meta };
export const link: ContentBlock = {
  type: 'resource_link',
  uri: 'weather://oslo',
  name: 'oslo',
  title: 'Oslo today',
  description: 'The weather in Oslo.',
  mimeType: 'text/plain',
  size: 4,
  annotations,
  icons,
  _meta,
};

export const content: readonly ContentBlock[] = [
  text,
  { type: 'image', data: 'AAEC', mimeType: 'image/png', annotations, _meta },
  audio,
  link,
  { type: 'resource', resource: contents[0]!, annotations, _meta },
  { type: 'resource', resource: contents[1]! },
];

export const tool: Tool = {
  name: 'forecast',
  title: 'Forecast',
  description: 'Forecast for a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' }, anything: true }, required: ['city'] },
  outputSchema: { type: 'object', properties: { summary: { type: 'string' }, more: true }, required: ['summary'] },
  annotations: {
    title: 'Forecast!',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  icons,
  _meta,
};

export const listTool: Tool = { ...tool, name: 'cities', outputSchema: { type: 'array', items: { type: 'string' } } };

export const resource: Resource = {
  uri: 'weather://oslo',
  name: 'oslo',
  title: 'Oslo',
  description: 'The weather in Oslo.',
  mimeType: 'text/plain',
  size: 4,
  annotations,
  icons,
  _meta,
};

export const resourceTemplate: ResourceTemplate = {
  uriTemplate: 'weather://{city}',
  name: 'city',
  title: 'City',
  description: 'The weather in a city.',
  mimeType: 'text/plain',
  annotations,
  icons,
  _meta,
};

export const prompt: Prompt = {
  name: 'plan',
  title: 'Plan',
  description: 'Plan a day',
  arguments: [{ name: 'city', title: 'City', description: 'Where', required: true }],
  icons,
  _meta,
};

const page = { nextCursor: 'bmV4dA', ttlMs: 5000, cacheScope: 'public', _meta } as const;

/** A rich result of every operation. */
export const results: { readonly [M in Method]: ResultOf<M> } = {
  initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: server, instructions: 'Ask.', _meta },
  ping: {},
  'server/discover': {
    supportedVersions: ['2026-07-28'],
    capabilities,
    instructions: 'Ask.',
    ttlMs: 5000,
    cacheScope: 'public',
    _meta,
  },
  'tools/list': { tools: [tool, listTool], ...page },
  'tools/call': { content, structuredContent: { summary: 'rain' }, structuredRoot: 'object', isError: false, _meta },
  'resources/list': { resources: [resource], ...page },
  'resources/templates/list': { resourceTemplates: [resourceTemplate], ...page },
  'resources/read': { contents, ttlMs: 5000, cacheScope: 'public', _meta },
  'prompts/list': { prompts: [prompt], ...page },
  'prompts/get': {
    description: 'Plan a day',
    messages: content.map((block) => ({ role: 'user', content: block })),
    _meta,
  },
  'completion/complete': { completion: { values: ['Oslo'], total: 1, hasMore: false }, _meta },
  'logging/setLevel': {},
  'resources/subscribe': {},
  'resources/unsubscribe': {},
  'subscriptions/listen': { _meta: { ..._meta, 'io.modelcontextprotocol/subscriptionId': 7 } },
};

/** Every notification of a server, with all it can say. */
export const notifications: readonly ServerNotification[] = [
  { method: 'notifications/progress', progressToken: 7, progress: 1, total: 2, message: 'half' },
  { method: 'notifications/message', level: 'info', data: { a: 1 }, logger: 'weather' },
  { method: 'notifications/cancelled', requestId: 7, reason: 'over' },
  { method: 'notifications/tools/list_changed' },
  { method: 'notifications/prompts/list_changed' },
  { method: 'notifications/resources/list_changed' },
  { method: 'notifications/resources/updated', uri: 'weather://oslo' },
  { method: 'notifications/tools/list_changed', subscriptionId: 7 },
  { method: 'notifications/resources/updated', uri: 'weather://oslo', subscriptionId: 'seven' },
  { method: 'notifications/subscriptions/acknowledged', notifications: { toolsListChanged: true }, subscriptionId: 7 },
];

const choice = [
  { const: 'wet', title: 'Rain' },
  { const: 'dry', title: 'Sun' },
];

/** A field of every kind, with all it can say. */
export const formFields = {
  name: {
    type: 'string',
    title: 'Name',
    description: 'Of a city',
    minLength: 1,
    maxLength: 9,
    format: 'uri',
    default: 'a:b',
  },
  wind: { type: 'number', title: 'Wind', minimum: 0.5, maximum: 9.5, default: 1.5 },
  days: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
  sure: { type: 'boolean', title: 'Sure?', default: true },
  unit: { type: 'string', enum: ['c', 'f'], default: 'c' },
  named: { type: 'string', enum: ['c', 'f'], enumNames: ['Celsius', 'Fahrenheit'] },
  sky: { type: 'string', title: 'Sky', oneOf: choice, default: 'dry' },
  letters: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
  skies: { type: 'array', title: 'Skies', description: 'Any', items: { anyOf: choice } },
} as const satisfies Readonly<Record<string, FormField>>;

/** A form with a field of every kind. */
export const askForm: ElicitFormParams = {
  mode: 'form',
  message: 'Which city?',
  requestedSchema: { type: 'object', properties: formFields, required: ['name', 'skies'] },
};

/** A page to open. */
export const askUrl: ElicitUrlParams = {
  mode: 'url',
  message: 'Open the page',
  url: 'https://example.com/connect',
  elicitationId: 'e-1',
};

/** A question to a model, without tools. */
export const sample: CreateMessageParams = {
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Rain?', annotations, _meta },
        { type: 'image', data: 'AAEC', mimeType: 'image/png', annotations, _meta },
        { type: 'audio', data: 'AAECAw==', mimeType: 'audio/wav', annotations, _meta },
      ],
      _meta,
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Rain.' }] },
  ],
  maxTokens: 100,
  systemPrompt: 'Be brief.',
  modelPreferences: { hints: [{ name: 'small' }], costPriority: 1, speedPriority: 0.5, intelligencePriority: 0 },
  temperature: 0.5,
  stopSequences: ['.'],
  metadata: { trace: 'a' },
};

/** A question to a model in the middle of a loop with tools. */
export const sampleWithTools: CreateMessageParams = {
  ...sample,
  tools: [tool, listTool],
  toolChoice: { mode: 'auto' },
  messages: [
    ...sample.messages,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'u1', name: 'forecast', input: { city: 'Oslo' }, _meta }] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          toolUseId: 'u1',
          content,
          structuredContent: { summary: 'rain' },
          isError: false,
          _meta,
        },
        { type: 'tool_result', toolUseId: 'u2', content: [text], structuredContent: ['Oslo'] },
      ],
    },
  ],
};

/** A value that throws in strict mode when anybody changes it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
