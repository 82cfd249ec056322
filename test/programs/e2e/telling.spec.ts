/** What a server tells beside its answers, and when it stops: progress, log, cancellation, subscriptions; in every revision, over every transport. */
import type { JsonObject } from '@sigil-mcp/protocol';
import type { TestClient } from '@sigil-mcp/testing';
import { EVERYTHING, Talkers, eventually, roundTrips } from './talkers';

const NEWEST = '2026-07-28';
const LAST_HANDSHAKE = '2025-11-25';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const LISTS = ['tools', 'prompts', 'resources'].map((kind) => `notifications/${kind}/list_changed`);
const talkers = Talkers.forThisFile();

const call = (client: TestClient, name: string, meta: JsonObject = {}): Promise<JsonObject> =>
  client.request('tools/call', { name, arguments: {}, _meta: meta });
const paramsOf = (client: TestClient, method: string): JsonObject[] =>
  client.notifications(method).map(({ params }) => params as JsonObject);
const methodsOf = (messages: readonly JsonObject[]): unknown[] => messages.map(({ method }) => method);

describe.each(talkers.each())('progress in $title', ({ revision, meet }) => {
  it('comes with the token of its request, only forward, and never after the answer [PROG-001, PROG-002, PROG-003]', async () => {
    const client = await meet();
    await call(client, 'walk');
    await call(client, 'walk', { progressToken: 'steps' });
    await call(client, 'walk', { progressToken: 7 });
    const sinceTheAnswer = client.traffic.length;
    await roundTrips(client);
    const steps = [0, 40, 100].map((progress) => ({
      progress,
      total: 100,
      ...(revision > '2024-11-05' && { message: `at ${progress}` }),
    }));
    const expected = ['steps', 7].flatMap((progressToken) => steps.map((step) => ({ progressToken, ...step })));
    expect(paramsOf(client, 'notifications/progress')).toEqual(expected);
    expect(client.traffic.slice(sinceTheAnswer).filter(({ text }) => text.includes('progress'))).toEqual([]);
  });
});

describe.each(talkers.each({ until: LAST_HANDSHAKE }))('the log in $title', ({ meet }) => {
  it('has everything from the level that was set, and nothing below [LOG-001, LOG-002, LOG-003, LOG-007]', async () => {
    const client = await meet();
    for (const [level, words] of [
      ['debug', 'dinwecam'],
      ['warning', 'wecam'],
      ['emergency', 'm'],
    ] as const) {
      expect(await client.request('logging/setLevel', { level })).toEqual({});
      const before = client.notifications().length;
      await client.callTool('chatter');
      const told = client.notifications().slice(before);
      expect(methodsOf(told)).toEqual([...words].map(() => 'notifications/message'));
      expect(told.map(({ params }) => (params as { level: string }).level.length > 0)).not.toContain(false);
      expect(dataOf(told)).toBe(words);
    }
    await expect(client.request('logging/setLevel', { level: 'loud' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe.each(talkers.each({ since: NEWEST }))('the log in $title', ({ meet }) => {
  it('has what each request wants, and is silent where it wants nothing [LOG-004, LOG-005, LOG-006]', async () => {
    const client = await meet();
    await call(client, 'chatter', { [LOG_LEVEL]: 'error' });
    expect(dataOf(client.notifications())).toBe('ecam');
    await call(client, 'chatter');
    expect(client.notifications()).toHaveLength(4);
    await call(client, 'chatter', { [LOG_LEVEL]: 'debug' });
    expect(dataOf(client.notifications().slice(4))).toBe('dinwecam');
    await expect(call(client, 'chatter', { [LOG_LEVEL]: 'loud' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe.each(talkers.each())('cancellation in $title', ({ title, revision, transport, meet, stderr }) => {
  const begin = async (client: TestClient, label: string, milliseconds: number) => {
    const args = { label, milliseconds };
    const meta = { progressToken: label, ...(revision === NEWEST && { [LOG_LEVEL]: 'debug' }) };
    const started = client.start('tools/call', { name: 'wait', arguments: args, _meta: meta });
    await eventually(() => stderr(client).includes(`${label} begun`), 'the call begins');
    return started;
  };

  it('stops the call, and nothing more is said of it [CANCEL-002, CANCEL-003, CANCEL-004]', async () => {
    const client = await meet();
    const label = `cancelled ${title}`;
    const { id, result } = await begin(client, label, 5000);
    client.cancel(id, 'changed my mind');
    await expect(result).rejects.toThrow('The client cancelled');
    await eventually(() => stderr(client).includes(`${label} aborted`), 'the call is aborted');
    await roundTrips(client);
    expect(client.traffic.filter(({ from, text }) => from === 'server' && text.includes(`"id":${id}`))).toEqual([]);
    expect(client.notifications()).toEqual([]);
    expect(await client.callTool('walk')).toMatchObject({ isError: false });
  });

  it('of what is unknown or over is ignored [CANCEL-005, CANCEL-006]', async () => {
    const client = await meet();
    expect(await client.callTool('walk')).toMatchObject({ isError: false });
    const malformed: (JsonObject | undefined)[] = [
      { requestId: 2 },
      { requestId: 'never' },
      { requestId: [] },
      undefined,
    ];
    for (const params of malformed) client.notify('notifications/cancelled', params);
    expect(await client.callTool('walk')).toMatchObject({ isError: false });
    expect(client.notifications()).toEqual([]);
  });

  if (transport === 'HTTP') {
    const outcome = revision === NEWEST ? 'aborted' : 'finished';
    it(`when the connection breaks: the call is ${outcome} [CANCEL-004, HTTP-015]`, async () => {
      const client = await meet();
      const label = `cut off ${title}`;
      const { id, result } = await begin(client, label, 150);
      client.hangUp(id);
      await expect(result).rejects.toThrow('closed the connection of request');
      await eventually(() => stderr(client).includes(`${label} ${outcome}`), `the call is ${outcome}`);
    });
  }

  if (revision !== NEWEST) {
    it('withdraws what the call was asking', async () => {
      const client = await meet({ capabilities: EVERYTHING, answers: () => new Promise(() => undefined) });
      const { id, result } = client.start('tools/call', { name: 'roots', arguments: {} });
      await eventually(() => client.questions.length > 0, 'the question comes');
      client.cancel(id);
      await expect(result).rejects.toThrow('cancelled');
      await eventually(() => client.notifications('notifications/cancelled').length > 0, 'the question is withdrawn');
      const [asked] = client.notifications('roots/list');
      expect(paramsOf(client, 'notifications/cancelled')).toMatchObject([{ requestId: asked?.['id'] }]);
    });
  }
});

describe.each(talkers.each({ until: LAST_HANDSHAKE }))('changes in $title', ({ transport, meet }) => {
  it('of lists are told to every session unasked [SUB-003, TOOL-005, RSRC-004, PROMPT-004]', async () => {
    const client = await meet();
    // Over stdio, another client has another server.
    const sessions = transport === 'HTTP' ? [client, await meet()] : [client];
    await client.callTool('change');
    for (const session of sessions) {
      await eventually(() => session.notifications().length >= 3, 'the changes are told');
      expect(methodsOf(session.notifications())).toEqual(LISTS);
    }
  });

  it('of resources are told to whoever subscribed, until that is given up [SUB-001, SUB-002]', async () => {
    const client = await meet();
    const updates = () => paramsOf(client, 'notifications/resources/updated');
    expect(await client.request('resources/subscribe', { uri: 'talker://page' })).toEqual({});
    await client.callTool('touch', { uri: 'talker://page' });
    await client.callTool('touch', { uri: 'talker://other' });
    await eventually(() => updates().length > 0, 'the update is told');
    expect(await client.request('resources/unsubscribe', { uri: 'talker://page' })).toEqual({});
    await client.callTool('touch', { uri: 'talker://page' });
    await roundTrips(client);
    expect(updates()).toEqual([{ uri: 'talker://page' }]);
  });
});

describe.each(talkers.each({ since: NEWEST }))('changes in $title', ({ transport, meet, meetAlone }) => {
  const listen = async (client: TestClient, notifications: JsonObject) => {
    const before = client.notifications().length;
    const started = client.start('subscriptions/listen', { notifications });
    await eventually(() => client.notifications().length > before, 'the subscription is acknowledged');
    return started;
  };
  const toldTo = (client: TestClient, id: unknown): JsonObject[] =>
    client.notifications().filter(({ params }) => (params as { _meta?: JsonObject })._meta?.[SUBSCRIPTION] === id);

  it('are told to whoever listens, each what it asked for, after the acknowledgement [SUB-004, SUB-005, SUB-006, SUB-007, SUB-008, SUB-009, SUB-011, SUB-012]', async () => {
    const client = await meet();
    const lists = await listen(client, {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
    });
    const page = await listen(client, { toolsListChanged: false, resourceSubscriptions: ['talker://page'] });
    await client.callTool('touch', { uri: 'talker://page' });
    await client.callTool('touch', { uri: 'talker://other' });
    await client.callTool('change');
    await eventually(() => client.notifications().length >= 6, 'the changes are told');
    await roundTrips(client);
    const acknowledged = 'notifications/subscriptions/acknowledged';
    expect(methodsOf(toldTo(client, lists.id))).toEqual([acknowledged, ...LISTS]);
    expect(methodsOf(toldTo(client, page.id))).toEqual([acknowledged, 'notifications/resources/updated']);
    expect(toldTo(client, page.id)).toMatchObject([
      { params: { notifications: { resourceSubscriptions: ['talker://page'] } } },
      { params: { uri: 'talker://page' } },
    ]);
    expect(client.notifications()).toHaveLength(6);
  });

  it('are told no longer when the client takes the subscription back [SUB-010, SUB-013, SUB-016]', async () => {
    const client = await meet();
    const { id, result } = await listen(client, { toolsListChanged: true });
    await call(client, 'walk');
    await call(client, 'chatter');
    client.cancel(id);
    await expect(result).rejects.toThrow('cancelled');
    await client.callTool('walk'); // by now the server has heard of it
    const before = client.traffic.length;
    await client.callTool('change');
    await roundTrips(client);
    expect(client.traffic.slice(before).filter(({ text }) => text.includes('list_changed'))).toEqual([]);
    expect(methodsOf(client.notifications())).toEqual(['notifications/subscriptions/acknowledged']);
  });

  it('end with a result when the server closes, announced where the pipe is shared [SUB-014, SUB-015, CANCEL-008, CANCEL-009]', async () => {
    const client = await meetAlone();
    const { id, result } = await listen(client, { toolsListChanged: true });
    expect(await client.callTool('stop')).toMatchObject({ isError: false });
    expect(await result).toMatchObject({ resultType: 'complete', _meta: { [SUBSCRIPTION]: id } });
    const announced = transport === 'stdio' ? [{ requestId: id }] : [];
    expect(paramsOf(client, 'notifications/cancelled')).toMatchObject(announced);
  });

  it('are told to nobody who did not ask', async () => {
    const client = await meet();
    await client.callTool('change');
    await roundTrips(client);
    expect(client.notifications()).toEqual([]);
  });
});

/** The first letter of each message, as the tool logs them. */
function dataOf(messages: readonly JsonObject[]): string {
  return messages
    .map(({ params }) => (params as { data: unknown }).data)
    .map((data) => (typeof data === 'string' ? data : (data as { message?: string }).message))
    .join('');
}
