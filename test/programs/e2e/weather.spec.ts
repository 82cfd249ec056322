/** The main job on real input: the built weather server, spawned and driven by the official clients. */
import { isRunning } from './built-app';
import { judges, stdioJudges } from './judges';
import type { OfficialClient } from './official-client';

const cityTemplate = 'weather://{city}/climate';

describe.each(judges)('the weather server, driven by $title', ({ open, revision, handshake, notFound }) => {
  let client: OfficialClient;

  beforeAll(async () => {
    client = await open('weather');
    await client.listTools(); // from now on the client checks structured content against the listed schemas
  });
  afterAll(async () => client.close());

  it('negotiates the revision that the client asks for [LIFE-001]', () => {
    expect(client.revision).toBe(revision);
    expect(client.serverInfo).toMatchObject({ name: 'weather', version: '0.1.0' });
    expect(client.instructions).toContain('Climate normals');
  });

  it('advertises what it has [TOOL-001, RSRC-001, PROMPT-001, COMPL-001, LOG-001]', () => {
    const kinds = ['tools', 'resources', 'prompts', 'completions', 'logging'];
    expect(Object.keys(client.capabilities ?? {})).toEqual(expect.arrayContaining(kinds));
  });

  it('lists its tools with schemas [TOOL-006]', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['forecast', 'compareCities', 'bestTimeToVisit']);
    expect(tools[0]).toMatchObject({
      inputSchema: { type: 'object', required: ['city'], properties: { days: { default: 3, maximum: 14 } } },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
  });

  it('answers a call with data that the client validates, and with the same as text [TOOL-010, TOOL-012]', async () => {
    const result = await client.callTool('forecast', { city: 'oslo', days: 2, from: '2026-07-31' });
    const structured = {
      city: 'Oslo',
      country: 'Norway',
      summary: expect.stringContaining('Oslo'),
      days: [
        { date: '2026-07-31', high: 22, low: 12.5, precipitation: 3 },
        { date: '2026-08-01', high: 22, low: 12.5, precipitation: 3.1 },
      ],
    };
    expect(result).toMatchObject({ structuredContent: structured, isError: false });
    const [{ text }] = (result as { content: [{ text: string }] }).content;
    expect(JSON.parse(text)).toEqual(structured);
  });

  it('tells a model what is wrong with its arguments [TOOL-021, TOOL-025]', async () => {
    expect(await client.callTool('forecast', { city: 'Oslo', days: 15 })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('days') }],
    });
    expect(await client.callTool('forecast', { city: 'Oslo', week: 1 })).toMatchObject({ isError: true });
  });

  it('tells a model which city it may have meant [TOOL-019]', async () => {
    expect(await client.callTool('bestTimeToVisit', { city: 'Reykjavk' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('Did you mean Reykjavík?') }],
    });
  });

  it('refuses an unknown tool [TOOL-018]', async () => {
    await expect(client.callTool('forecats')).rejects.toMatchObject({ code: -32602 });
  });

  it('lists its resources and templates [RSRC-016]', async () => {
    expect(await client.listResources()).toMatchObject({
      resources: [{ uri: 'weather://cities', mimeType: 'application/json' }],
    });
    expect(await client.listResourceTemplates()).toMatchObject({ resourceTemplates: [{ uriTemplate: cityTemplate }] });
  });

  it('reads a resource, and every resource that it names [RSRC-009]', async () => {
    const { contents } = await client.readResource('weather://cities');
    const cities = JSON.parse((contents[0] as { text: string }).text) as { city: string; uri: string }[];
    expect(cities.length).toBeGreaterThanOrEqual(20);
    for (const { city, uri } of cities) {
      const [climate] = (await client.readResource(uri)).contents;
      expect(climate).toMatchObject({ uri, mimeType: 'application/json' });
      expect(JSON.parse((climate as { text: string }).text)).toMatchObject({ city });
    }
  });

  it('refuses a resource that is not there [RSRC-005, RSRC-006]', async () => {
    await expect(client.readResource('weather://Gotham/climate')).rejects.toMatchObject({ code: notFound });
    await expect(client.readResource('weather://nowhere')).rejects.toMatchObject({ code: notFound });
  });

  it('lists its prompts and gets one with its data [PROMPT-008]', async () => {
    expect(await client.listPrompts()).toMatchObject({ prompts: [{ name: 'planTrip' }, { name: 'explainClimate' }] });
    expect(await client.getPrompt('planTrip', { city: 'Lisbon', month: 'May', days: '4' })).toMatchObject({
      messages: [
        { role: 'user', content: { type: 'resource', resource: { uri: 'weather://Lisbon/climate' } } },
        { role: 'user', content: { type: 'text', text: expect.stringContaining('Plan 4 days in Lisbon in May') } },
      ],
    });
  });

  it('refuses an unknown prompt, a missing argument and a wrong one [PROMPT-005]', async () => {
    await expect(client.getPrompt('planParty')).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt('planTrip', { city: 'Lisbon' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt('planTrip', { city: 'Lisbon', month: 'Mai' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('completes a variable of a template and an argument of a prompt [COMPL-003]', async () => {
    const ref = { type: 'ref/resource', uri: cityTemplate } as const;
    expect(await client.complete({ ref, argument: { name: 'city', value: 'ca' } })).toMatchObject({
      completion: { values: ['Cairo', 'Cape Town'] },
    });
    const prompt = { type: 'ref/prompt', name: 'planTrip' } as const;
    expect(await client.complete({ ref: prompt, argument: { name: 'month', value: 'j' } })).toMatchObject({
      completion: { values: ['January', 'June', 'July'] },
    });
  });

  it('logs how long each call took, on stderr [STDIO-003]', () => {
    expect(client.stderr()).toMatch(/"message":"tools\/call forecast","milliseconds":\d/);
  });

  if (handshake) {
    it('answers a ping [BASE-048]', async () => {
      expect(await client.ping()).toEqual({});
    });

    it('stops telling the client what is below its log level [LOG-002]', async () => {
      await client.callTool('bestTimeToVisit', { city: 'Oslo' });
      expect(client.logged.length).toBeGreaterThan(0);
      await client.setLoggingLevel('warning');
      const before = client.logged.length;
      await client.callTool('bestTimeToVisit', { city: 'Oslo' });
      expect(client.logged).toHaveLength(before);
    });
  } else {
    it('logs to the client only for a call that asks for it [LOG-004]', async () => {
      expect(client.logged).toEqual([]);
      await client.callTool('bestTimeToVisit', { city: 'Oslo' }, { logLevel: 'info' });
      expect(client.logged).toMatchObject([{ message: 'tools/call bestTimeToVisit' }]);
    });
  }
});

describe.each(stdioJudges)('the process of the weather server, after $title', ({ open }) => {
  it('is gone when the client has closed the connection [STDIO-006]', async () => {
    const client = await open('weather');
    expect(isRunning(client.pid)).toBe(true);
    await client.close();
    expect(isRunning(client.pid)).toBe(false);
  });
});
