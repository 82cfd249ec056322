// Runs the examples of docs/testing.md.
import './matchers';
import './quiet';
import { createServer, type Access, type Guard, type Server } from '@sigil-mcp/core';
import { connect, eachRevision, recordTraffic, type TestClient } from '@sigil-mcp/testing';
import { Alerts, AlertsFeature, alertsServer } from '../src/alerts';
import { server } from '../src/server';

/** Admits callers who may write alerts. */
class MayAlert implements Guard {
  allows({ caller }: Access): boolean {
    return caller.scopes.includes('alerts:write');
  }
}

const guardedServer: Server = createServer({
  name: 'guarded',
  version: '1.0.0',
  features: [AlertsFeature],
  guards: [MayAlert],
  logger: 'error',
});

describe('the weather server', () => {
  // #region client
  let client: TestClient;
  beforeAll(async () => {
    client = await connect(server);
  });
  afterAll(() => client.close());

  it('answers what a model asks about the weather', async () => {
    await expect(client).toListTool('forecast', { description: /normally like/, annotations: { readOnlyHint: true } });
    await expect(client).toListResource('weather://cities');
    expect(await client.callTool('bestTimeToVisit', { city: 'Oslo' })).toHaveStructured({ city: 'Oslo' });
    expect(await client.callTool('forecast', { city: 'Olso' })).toBeToolError(/Did you mean Oslo/);
    expect(await client.readResource('weather://cities')).toHaveText(/Nairobi/);
    await expect(client.callTool('tomorrow')).rejects.toBeRpcError(-32602, 'Unknown tool');
  });
  // #endregion client

  // #region refused
  eachRevision('refuses a list without cities', async ({ connect }) => {
    const client = await connect(server);
    await expect(client.callTool('compareCities', { cities: [] })).toHaveInvalidArguments(/cities/);
  });
  // #endregion refused

  // #region progress
  it('reports which city it looks up', async () => {
    const seen: unknown[] = [];
    await client.callTool(
      'compareCities',
      { cities: ['Oslo', 'Cairo'] },
      { onProgress: (step) => seen.push(step.message) },
    );
    expect(seen).toEqual(['Oslo', 'Cairo']);
  });
  // #endregion progress
});

// #region override
it('says that an alert was sent', async () => {
  const send = jest.fn().mockResolvedValue('Sent.');
  const client = await connect(alertsServer, {
    override: [{ provide: Alerts, useValue: { send } }],
    capabilities: { elicitation: {} },
    answers: () => ({ action: 'accept', content: { ok: true, level: 'danger', channels: ['siren'] } }),
  });
  expect(await client.callTool('alert', { city: 'Oslo' })).toHaveText('Sent.');
  expect(send).toHaveBeenCalledWith('Oslo', expect.any(String));
  await client.close();
});
// #endregion override

// #region scopes
eachRevision('shows alerts to callers who may send them', async ({ connect }) => {
  const writer = await connect(guardedServer, { as: { id: 'ada', scopes: ['alerts:write'] } });
  await expect(writer).toListTool('alert');
  const reader = await connect(guardedServer, { as: 'bob' });
  await expect(reader).not.toListTool('alert');
  await expect(reader.callTool('alert', { city: 'Oslo' })).rejects.toBeRpcError(-32602, 'Unknown tool');
});
// #endregion scopes

// #region changes
it('notifies its clients of a new tool', async () => {
  const client = await connect(alertsServer, { revision: '2025-11-25' });
  await client.callTool('learn', { city: 'Bergen' });
  await client.waitForNotification('notifications/tools/list_changed');
  await expect(client).toListTool('greet-bergen');
  await client.close();
});
// #endregion changes

// #region record
it('sends the same messages as before', async () => {
  const client = await connect(server);
  const recorder = recordTraffic(client);
  await client.callTool('bestTimeToVisit', { city: 'Oslo' });
  await client.callTool('bestTimeToVisit', { city: 'Olso' });
  expect(recorder.text()).toMatchInlineSnapshot(`
    "→ #1 tools/call bestTimeToVisit {"city":"Oslo"}
    ← #1 result {"city":"Oslo","months":[{"month":"July","high":23,"precipitation":87},{"month":"June","high":20,"precipitation":80},{"month":"August","high":21,"precipitation":102}]}
    → #2 tools/call bestTimeToVisit {"city":"Olso"}
    ← #2 tool error "There is no climate data for \\"Olso\\". Did you mean Oslo?""
  `);
  await client.close();
});
// #endregion record
