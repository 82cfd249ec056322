/** What a server asks of a client: elicitation, sampling, roots, in every revision that has them, over every transport. */
import type { JsonObject } from '@sigil-mcp/protocol';
import { RpcError, type AnswerQuestion, type TestClient } from '@sigil-mcp/testing';
import { EVERYTHING, Talkers, eventually, roundTrips } from './talkers';

const NEWEST = '2026-07-28';
const LAST_HANDSHAKE = '2025-11-25';
const PLAIN_FORMS = '2025-06-18';
const talkers = Talkers.forThisFile();
const said = (text: unknown): object => ({
  content: [{ type: 'text', text: typeof text === 'string' ? text : JSON.stringify(text) }],
  isError: false,
});
const lines =
  (...answers: JsonObject[]): AnswerQuestion =>
  () =>
    answers.shift() ?? { action: 'cancel' };
const model = (content: JsonObject | JsonObject[], more: JsonObject = {}): JsonObject => ({
  role: 'assistant',
  content,
  model: 'tester',
  ...more,
});
const text = (words: string): JsonObject => ({ type: 'text', text: words });
const requestsOf = (client: TestClient): JsonObject[] =>
  client.notifications().filter((message) => message['id'] !== undefined);

describe.each(talkers.each({ since: PLAIN_FORMS }))(
  'elicitation with forms in $title',
  ({ revision, transport, meet }) => {
    const order = { name: 'mug', email: 'ada@example.com', count: 3, size: 'large', colors: ['r', 'g'] };
    const inWords = revision === PLAIN_FORMS ? { ...order, colors: 'r, g' } : order;
    const filled = { ...order, weight: 0.5, paper: 'none', gift: false };

    it('shows every kind of field, and hands over what was filled in [ELICIT-005, ELICIT-006, ELICIT-007, ELICIT-008]', async () => {
      const client = await meet({
        capabilities: EVERYTHING,
        answers: lines({ action: 'accept', content: inWords }),
      });
      const { content } = (await client.callTool('order')) as { content?: [{ text: string }] };
      expect(JSON.parse(content?.[0].text ?? '')).toEqual([true, filled]);
      const [question] = client.questions;
      expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'What shall it be?' } });
      expect(question?.params['mode']).toBe(revision === PLAIN_FORMS ? undefined : 'form');
      expect(question?.params['requestedSchema']).toMatchObject({
        type: 'object',
        required: ['name', 'email', 'colors'],
        properties: revision === PLAIN_FORMS ? plainFields : richFields,
      });
    });

    it('is what the user did: accepted, declined or dismissed [ELICIT-015]', async () => {
      const visit = { day: '2026-05-01', at: '2026-05-01T10:00:00Z', site: 'https://example.com' };
      const answers = lines({ action: 'accept', content: visit }, { action: 'decline' }, { action: 'cancel' });
      const client = await meet({ capabilities: EVERYTHING, answers });
      expect(await client.callTool('visit')).toMatchObject(said({ action: 'accept', content: visit }));
      expect(await client.callTool('visit')).toMatchObject(said({ action: 'decline' }));
      expect(await client.callTool('visit')).toMatchObject(said({ action: 'cancel' }));
    });

    it('asks again and again, in tools, prompts and resources', async () => {
      let count = 0;
      const answers: AnswerQuestion = () => ({ action: 'accept', content: { name: `n${++count}` } });
      const client = await meet({ capabilities: { elicitation: {} }, answers });
      expect(await client.callTool('twice')).toMatchObject(said('n1 n2'));
      expect(client.questions.map(({ params }) => params['message'])).toEqual(['First name?', 'Last name of n1?']);
      expect(await client.getPrompt('greet')).toMatchObject({ messages: [{ content: { text: 'Greet n3.' } }] });
      expect(await client.readResource('talker://secret')).toMatchObject({ contents: [{ text: 'told n4' }] });
    });

    it('takes no answer that does not fit the form [ELICIT-021]', async () => {
      const contents = [{ name: '' }, { name: 'x'.repeat(41) }, { name: 5 }, {}];
      const answers = lines(...contents.map((content) => ({ action: 'accept', content })));
      const client = await meet({ capabilities: EVERYTHING, answers });
      for (const content of contents) {
        const result = await client.callTool('twice').catch((error: unknown) => ({ isError: true, error }));
        expect([content, result['isError']]).toEqual([content, true]);
      }
      expect(client.questions.map(({ params }) => params['message'])).toEqual(contents.map(() => 'First name?'));
    });

    it('comes back on a stream that was let go', async () => {
      const client = await meet({
        capabilities: EVERYTHING,
        answers: lines({ action: 'accept', content: { name: 'Ada' } }),
      });
      expect(await client.callTool('release')).toMatchObject(said('welcome Ada'));
      expect(client.questions).toHaveLength(1);
    });

    it('is answered by the client that received it, even if many are asked at once [ELICIT-016]', async () => {
      // Over stdio, another client has another server.
      const names = transport === 'HTTP' ? ['a', 'b', 'c'] : ['a'];
      const clients = await Promise.all(
        names.map((name) =>
          meet({ capabilities: EVERYTHING, answers: () => ({ action: 'accept', content: { name } }) }),
        ),
      );
      const calls = clients.flatMap((client) => [client.callTool('twice'), client.callTool('twice')]);
      const expected = names.flatMap((name) => [said(`${name} ${name}`), said(`${name} ${name}`)]);
      expect(await Promise.all(calls)).toMatchObject(expected);
    });

    it('is sent as a request, or carried by a result, as the revision has it [MRTR-001, MRTR-003, MRTR-004, MRTR-006]', async () => {
      const answers = lines({ action: 'accept', content: { name: 'Ada' } }, { action: 'decline' });
      const client = await meet({ capabilities: EVERYTHING, answers });
      expect(await client.callTool('twice')).toMatchObject(said('no last name: decline'));
      const asked = client.traffic.filter(
        ({ from, text: sent }) => from === 'server' && sent.includes('input_required'),
      );
      expect([requestsOf(client).length, asked.length]).toEqual(revision === NEWEST ? [0, 2] : [2, 0]);
    });

    it('is an error of the call for a client that declared none', async () => {
      const client = await meet({ capabilities: {}, answers: lines() });
      const code = revision === NEWEST ? -32021 : -32602;
      await expect(client.callTool('twice')).rejects.toMatchObject({ code });
      expect(client.questions).toEqual([]);
    });
  },
);

describe.each(talkers.each({ since: LAST_HANDSHAKE }))('elicitation with pages in $title', ({ revision, meet }) => {
  it('sends the user to a page, and tells the client when that is done [ELICIT-009, ELICIT-010, ELICIT-011, ELICIT-014]', async () => {
    const client = await meet({ capabilities: EVERYTHING, answers: lines({ action: 'accept' }) });
    expect(await client.callTool('page')).toMatchObject(said('accept'));
    const { elicitationId, ...params } = client.questions[0]?.params ?? {};
    expect(params).toEqual({
      mode: 'url',
      message: 'Please consent',
      url: 'https://example.com/consent?state=1',
    });
    const done = () => client.notifications('notifications/elicitation/complete');
    if (revision === NEWEST) expect([elicitationId, done()]).toEqual([undefined, []]);
    else {
      expect(elicitationId).toEqual(expect.any(String));
      await eventually(() => done().length > 0, 'the page is done');
      expect(done()).toMatchObject([{ params: { elicitationId } }]);
    }
  });

  it('is declined or dismissed as well', async () => {
    const client = await meet({
      capabilities: EVERYTHING,
      answers: lines({ action: 'decline' }, { action: 'cancel' }),
    });
    expect(await client.callTool('page')).toMatchObject(said('decline'));
    expect(await client.callTool('page')).toMatchObject(said('cancel'));
  });

  it('is not asked of a client that shows forms only [ELICIT-004]', async () => {
    for (const elicitation of [{}, { form: {} }]) {
      const client = await meet({ capabilities: { elicitation }, answers: lines() });
      await expect(client.callTool('page')).rejects.toMatchObject({ code: revision === NEWEST ? -32021 : -32602 });
      expect(client.questions).toEqual([]);
    }
  });
});

describe.each(talkers.each())('sampling in $title', ({ revision, meet }) => {
  it('asks the model in words, with all that it may be told [SAMP-002, SAMP-006]', async () => {
    const reply = model(text('Paris'), { stopReason: 'endTurn' });
    const client = await meet({ capabilities: EVERYTHING, answers: () => reply });
    const result = (await client.callTool('sample')) as { content?: [{ text: string }] };
    expect(JSON.parse(result.content?.[0].text ?? '')).toEqual({ ...reply, content: [text('Paris')], text: 'Paris' });
    expect(client.questions[0]?.params).toEqual({
      messages: [{ role: 'user', content: text('What is the capital of France?') }],
      maxTokens: 100,
      systemPrompt: 'Be short.',
      temperature: 0,
      stopSequences: ['.'],
      modelPreferences: { hints: [{ name: 'tester' }], speedPriority: 0.5 },
    });
  });

  it('shows the model pictures and sounds, and takes them, as far as the revision has them [SAMP-008]', async () => {
    const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const client = await meet({ capabilities: EVERYTHING, answers: () => model(picture) });
    expect(await client.callTool('show', { medium: 'image' })).toMatchObject(said('image'));
    expect(client.questions[0]?.params['messages']).toEqual([{ role: 'user', content: picture }]);
    const result = client.callTool('show', { medium: 'audio' });
    if (revision === '2024-11-05') {
      await result.catch(() => undefined);
      expect(JSON.stringify(client.questions)).not.toContain('"type":"audio"');
    } else {
      expect(await result).toMatchObject(said('image'));
      expect(client.questions[1]?.params['messages']).toMatchObject([{ content: { type: 'audio', data: 'AAAA' } }]);
    }
  });

  it('fails the call, not the server, where the client has no model or refuses', async () => {
    const client = await meet({ capabilities: {}, answers: lines() });
    await expect(client.callTool('sample')).rejects.toMatchObject({ code: revision === NEWEST ? -32021 : -32602 });
    expect(client.questions).toEqual([]);
    expect(await client.callTool('walk')).toMatchObject(said('arrived'));
    if (revision === NEWEST) return; // a client that does not want to answer does not come back
    const refusing = (): never => {
      throw new RpcError({ code: -1, message: 'User rejected sampling request' });
    };
    const refuser = await meet({ capabilities: EVERYTHING, answers: refusing });
    expect(await refuser.callTool('sample')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('User rejected sampling request') }],
    });
  });
});

describe.each(talkers.each({ since: LAST_HANDSHAKE }))('sampling with tools in $title', ({ revision, meet }) => {
  it('hands the model tools, and what came of them [SAMP-003, SAMP-004, SAMP-007]', async () => {
    const use = { type: 'tool_use', id: 'u1', name: 'clock', input: {} };
    const answers = lines(
      model([text('Let me see.'), use], { stopReason: 'toolUse' }),
      model([text('Noon'), text('!')]),
    );
    const client = await meet({ capabilities: EVERYTHING, answers });
    expect(await client.callTool('useTool')).toMatchObject(said('Noon!'));
    const [first, second] = client.questions.map(({ params }) => params);
    expect(first).toMatchObject({ tools: [{ name: 'clock' }], toolChoice: { mode: 'required' } });
    expect(second?.['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [text('Let me see.'), use] },
      { role: 'user', content: { type: 'tool_result', toolUseId: 'u1', content: [text('noon')] } },
    ]);
  });

  it('is not asked of a client that declared a model without tools [SAMP-001]', async () => {
    const client = await meet({ capabilities: { sampling: {} }, answers: lines() });
    await expect(client.callTool('useTool')).rejects.toMatchObject({ code: revision === NEWEST ? -32021 : -32602 });
    expect(client.questions).toEqual([]);
  });
});

describe.each(talkers.each())('roots in $title', ({ revision, transport, meet }) => {
  it('are asked for, and asked for again when they have changed [ROOT-003]', async () => {
    let roots: JsonObject[] = [{ uri: 'file:///here', name: 'here' }, { uri: 'file:///there' }];
    const client = await meet({ capabilities: EVERYTHING, answers: () => ({ roots }) });
    expect(await client.callTool('roots')).toMatchObject(said('file:///here here,file:///there -'));
    expect(await client.callTool('roots')).toMatchObject(said('file:///here here,file:///there -'));
    roots = [{ uri: 'file:///new' }];
    if (revision !== NEWEST) client.notify('notifications/roots/list_changed');
    expect(await client.callTool('roots')).toMatchObject(said('file:///new -'));
    expect(client.questions.map(({ method }) => method)).toEqual(
      Array.from({ length: revision === NEWEST ? 3 : 2 }, () => 'roots/list'),
    );
  });

  if (revision !== NEWEST) {
    it('are taken from nobody else', async () => {
      const client = await meet({ capabilities: EVERYTHING, answers: () => new Promise(() => undefined) });
      const other = transport === 'HTTP' ? await meet({ capabilities: EVERYTHING }) : undefined;
      const { id } = client.start('tools/call', { name: 'roots', arguments: {} });
      await eventually(() => client.questions.length > 0, 'the question comes');
      const [asked] = client.notifications('roots/list');
      const forged = { jsonrpc: '2.0', result: { roots: [{ uri: 'file:///forged' }] } };
      other?.send(JSON.stringify({ ...forged, id: asked?.['id'] }));
      client.send(JSON.stringify({ ...forged, id: 'ask-99' }));
      await roundTrips(client);
      expect(client.traffic.filter(({ text: sent }) => sent.includes('forged') && sent.includes('content'))).toEqual(
        [],
      );
      client.cancel(id);
    });
  }

  it('are not asked of a client that has none [ROOT-001]', async () => {
    const client = await meet({ capabilities: {}, answers: lines() });
    await expect(client.callTool('roots')).rejects.toMatchObject({ code: revision === NEWEST ? -32021 : -32602 });
    expect(client.questions).toEqual([]);
  });
});

const plainFields = {
  name: { type: 'string', title: 'Label', description: 'What is on it', minLength: 1, maxLength: 20 },
  email: { type: 'string', format: 'email' },
  count: { type: 'integer', minimum: 1, maximum: 9 },
  weight: { type: 'number', minimum: 0 },
  size: { type: 'string', enum: ['small', 'large'] },
  paper: { type: 'string', enum: ['none', 'plain'], enumNames: ['No paper', 'Plain paper'] },
  colors: { type: 'string', description: 'Separated by commas, any of: r (Red), g (Green)' },
  gift: { type: 'boolean', default: false },
};
const titled = (values: Readonly<Record<string, string>>): object[] =>
  Object.entries(values).map(([value, title]) => ({ const: value, title }));
const richFields = {
  ...plainFields,
  count: { ...plainFields.count, default: 2 },
  weight: { ...plainFields.weight, default: 0.5 },
  paper: { type: 'string', oneOf: titled({ none: 'No paper', plain: 'Plain paper' }), default: 'none' },
  colors: { type: 'array', minItems: 1, items: { anyOf: titled({ r: 'Red', g: 'Green' }) } },
};
