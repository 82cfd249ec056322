/** A server with something of each kind, for the table of what clients see. */
import { apps, view } from '@sigil-mcp/apps';
import { audio, createServer, prompt, resource, resourceLink, tool, toolResult, type Server } from '@sigil-mcp/core';
import { skills } from '@sigil-mcp/skills';
import { tasks } from '@sigil-mcp/tasks';
import type { JsonObject } from '@sigil-mcp/protocol';
import { z } from 'zod';

const icon = { src: 'https://example.com/icon.png', mimeType: 'image/png' };
const value = z.object({ value: z.number() });
const description = 'Probed';

const tools = [
  tool(
    'named',
    { description, title: 'Named', icons: [icon], readOnly: true, input: value, output: value },
    (input) => input,
  ),
  tool('list', { description, output: z.array(z.number()) }, () => [1, 2]),
  tool('sound', { description }, () => toolResult({ content: [audio(Buffer.from('x'), 'audio/wav')] })),
  tool('linked', { description }, () => toolResult({ content: [resourceLink({ uri: 'x://fixed', name: 'Fixed' })] })),
  tool('form', { description }, async (_, context) => {
    await context.elicit(z.object({ ok: z.boolean() }), 'Really?');
  }),
  tool('richForm', { description }, async (_, context) => {
    await context.elicit(z.object({ colours: z.array(z.enum(['red', 'blue'])) }), 'Which?');
  }),
  tool('page', { description }, async (_, context) => {
    await context.elicitUrl('https://example.com/', 'Sign in');
  }),
  tool('model', { description }, async (_, context) => {
    await context.sample('Hello?');
  }),
  tool('folders', { description }, async (_, context) => {
    await context.roots();
  }),
  tool('lasting', { description, task: 'optional' }, () => 'done'),
  tool('reports', { description }, async (_, context) => {
    await context.progress(1, 2, 'half of it');
    context.log.error('told to the client');
    return 'done';
  }),
];

const cache = { ttlMs: 1000, cacheScope: 'public' } as const;
const two = z.object({ one: z.string(), two: z.string() });
const others = [
  resource('x://fixed', { name: 'Fixed', title: 'A title', cache }, () => 'text'),
  resource(
    'x://{one}/{two}',
    {
      name: 'Two',
      input: two,
      complete: { two: (_typed, context) => [context.completion?.arguments?.['one'] ?? 'nothing'] },
    },
    () => 'text',
  ),
  prompt('greet', { description, title: 'A title' }, () => 'Hello'),
];

const views = [
  view('ui://probed/page', { name: 'page' }, () => '<!doctype html><html lang="en"><p>A page</p></html>'),
  tool('shown', { description: 'Has a view', view: 'page' }, () => 'shown'),
];

/** The server, which whoever asked for it closes. */
export function probedServer(): Server {
  return createServer({
    name: 'probed',
    version: '1.0.0',
    title: 'A title',
    websiteUrl: 'https://example.com/',
    extensions: [{ name: 'com.example/extension' }, apps(), skills({ folders: ['./probed-skills'] }), tasks()],
    features: [...tools, ...others, ...views],
    logger: false,
  });
}

/** What a client that can be asked anything answers. */
export function answerOf({ method, params }: { readonly method: string; readonly params: JsonObject }): JsonObject {
  if (method === 'roots/list') return { roots: [] };
  if (method === 'sampling/createMessage')
    return { role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'a model' };
  const content = JSON.stringify(params).includes('colours') ? { colours: ['red'] } : { ok: true };
  return { action: 'accept', ...(!('url' in params) && { content }) };
}
