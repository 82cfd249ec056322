/** The functions that the guides show beside their classes: the same entries, for the same clients. */
import { setTimeout as delay } from 'node:timers/promises';
import { createServer, ProtocolError, prompt, resource, tool, ToolFailure, type ListedResource } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { z } from 'zod';

expect.extend(matchers);

const free = new Set([7, 12]);
const plans: Record<string, string> = { kitchen: 'A table.', attic: 'A roof.' };
const sent: string[] = [];
const send = (city: string): string => `Sent to ${city}, ${sent.push(city)} in all.`;

// #region structured
const Reading = z.object({ station: z.string(), celsius: z.number() });

const measure = tool(
  'measure',
  { description: 'What a station measures now', output: Reading, readOnly: true },
  () => ({ station: 'Blindern', celsius: 4.5, operator: 'internal' }), // `operator` does not travel
);
// #endregion structured

// #region failure
const Stay = z.object({ room: z.int().min(1).max(40) });

const book = tool('book', { description: 'Books a room', input: Stay }, ({ room }) => {
  if (!free.has(room)) throw new ToolFailure(`Room ${room} is taken. Free are ${[...free].join(' and ')}.`);
  return `Room ${room} is yours.`;
});
// #endregion failure

// #region protocol
const guest = resource(
  'hotel://guests/{name}',
  { name: 'A guest', input: z.object({ name: z.string() }) },
  ({ name }) => {
    if (name === 'nobody') throw new ProtocolError('resource-not-found', 'There is no guest of that name.');
    return `${name} is in.`;
  },
);
// #endregion protocol

// #region resource
const rules = resource(
  'house://rules',
  { name: 'rules', title: 'House rules', mimeType: 'text/markdown', annotations: { audience: ['user'] } },
  () => '# Rules\n\nShoes off.',
);

const meter = resource('house://meter', { name: 'meter', description: 'The water meter, read now' }, () => ({
  litres: 1204,
}));
// #endregion resource

// #region template
const Room = z.object({ name: z.string().regex(/^[a-z]+$/), kind: z.enum(['plan', 'photo']) });

const listed = (): ListedResource[] =>
  Object.keys(plans).map((name) => ({ variables: { name, kind: 'plan' }, name: `Plan of the ${name}` }));

const room = resource(
  'house://rooms/{name}/{kind}',
  {
    name: 'room',
    mimeType: 'text/plain',
    input: Room,
    list: listed,
    complete: { name: (typed) => Object.keys(plans).filter((name) => name.startsWith(typed)) },
  },
  ({ name }) => plans[name], // undefined: there is no such resource
);
// #endregion template

// #region prompt
const Trip = z.object({
  city: z.string().describe('Where to'),
  by: z.enum(['train', 'boat']).default('train'),
  withChildren: z.boolean().default(false),
});

const plan = prompt(
  'plan',
  {
    title: 'A trip',
    description: 'Plan a trip',
    input: Trip,
    complete: { city: (typed) => ['Bergen', 'Bodø', 'Oslo'].filter((city) => city.startsWith(typed)) },
  },
  ({ city, by, withChildren }) => `Plan a trip to ${city} by ${by}${withChildren ? ', with children' : ''}.`,
);
// #endregion prompt

// #region progress
const print = tool(
  'print',
  { description: 'Prints pages', input: z.object({ pages: z.int() }), timeout: 60_000 },
  async ({ pages }, context) => {
    for (let page = 1; page <= pages; page += 1) {
      await delay(5, undefined, { signal: context.signal });
      await context.progress(page, pages, `Page ${page} is printed`);
    }
    context.log.info('Printed', { pages });
    return `Printed ${pages} pages.`;
  },
);
// #endregion progress

// #region elicit
const AlertForm = z.object({ ok: z.boolean().default(false).meta({ title: 'Really send it?' }) });

const alert = tool(
  'alert',
  { description: 'Warn everyone in a city', input: z.object({ city: z.string() }), destructive: true },
  async ({ city }, context) => {
    const answer = await context.elicit(AlertForm, `Alert everyone in ${city}?`);
    if (answer.action !== 'accept' || !answer.content.ok) throw new ToolFailure('Not confirmed.');
    return send(city);
  },
);
// #endregion elicit

const server = createServer({
  name: 'functions',
  version: '1.0.0',
  features: [measure, book, guest, rules, meter, room, plan, print, alert],
  logger: false,
});

eachRevision('results and errors are those of the class', async ({ connect }) => {
  const client = await connect(server);
  const measured = await client.callTool('measure');
  expect(measured).toHaveText(/"station":\s*"Blindern"/);
  expect(measured).not.toHaveText(/internal/);
  expect(await client.callTool('book', { room: 7 })).toHaveText('Room 7 is yours.');
  expect(await client.callTool('book', { room: 3 })).toBeToolError('Room 3 is taken. Free are 7 and 12.');
  await expect(client.readResource('hotel://guests/nobody')).rejects.toBeRpcError();
  expect(await client.readResource('hotel://guests/ada')).toHaveText('ada is in.');
});

eachRevision('resources are read, listed and completed', async ({ connect }) => {
  const client = await connect(server);
  expect(await client.readResource('house://rules')).toHaveText(/Shoes off/);
  expect(await client.readResource('house://meter')).toHaveText(/1204/);
  await expect(client).toListResource('house://rooms/attic/plan', { name: 'Plan of the attic' });
  expect(await client.readResource('house://rooms/kitchen/plan')).toHaveText('A table.');
  await expect(client.readResource('house://rooms/cellar/plan')).rejects.toBeRpcError();
});

eachRevision('prompts have arguments with defaults', async ({ connect }) => {
  const client = await connect(server);
  expect(await client.getPrompt('plan', { city: 'Oslo' })).toHaveMessages('Plan a trip to Oslo by train.');
  const family = await client.getPrompt('plan', { city: 'Oslo', by: 'boat', withChildren: 'true' });
  expect(family).toHaveMessages('Plan a trip to Oslo by boat, with children.');
});

eachRevision('a tool reports how far it is', async ({ connect }) => {
  const client = await connect(server);
  const heard: unknown[] = [];
  const result = await client.callTool('print', { pages: 2 }, { onProgress: ({ progress }) => heard.push(progress) });
  expect(heard).toEqual([1, 2]);
  expect(result).toHaveText('Printed 2 pages.');
});

eachRevision(
  'a tool acts once the user has confirmed it',
  async ({ connect }) => {
    const yes = await connect(server, { answers: () => ({ action: 'accept', content: { ok: true } }) });
    expect(await yes.callTool('alert', { city: 'Oslo' })).toHaveText(/Sent to Oslo/);
    const no = await connect(server, { answers: () => ({ action: 'decline' }) });
    expect(await no.callTool('alert', { city: 'Oslo' })).toBeToolError('Not confirmed.');
  },
  { since: '2025-06-18' },
);
