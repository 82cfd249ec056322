/** What a server asks and tells, as the official clients take it: each in each of its ways, over each transport. */
import { httpJudges, sseJudge, stdioJudges } from './judges';
import type { AnswerAsked, Asked, OfficialClient } from './official-client';
import { Talkers, eventually, roundTrips, talkerProgram } from './talkers';

const talkers = Talkers.forThisFile();
const everybody = [
  ...stdioJudges.map(({ spawn, ...judge }) => ({
    ...judge,
    meet: (answer: AnswerAsked) => spawn(talkerProgram(), answer),
    stderr: (client: OfficialClient) => client.stderr(),
  })),
  ...[...httpJudges, sseJudge].map(({ connect, ...judge }) => ({
    ...judge,
    meet: (answer: AnswerAsked) => connect(talkers.url, answer),
    stderr: () => talkers.stderr,
  })),
];
const said = (text: unknown): object => ({
  content: [{ type: 'text', text: typeof text === 'string' ? text : JSON.stringify(text) }],
  isError: false,
});
const model = (content: object | object[]): object => ({ role: 'assistant', content, model: 'tester' });
const LISTS = ['tools', 'prompts', 'resources'].map((kind) => `notifications/${kind}/list_changed`);

describe.each(everybody)('the talker, driven by $title', ({ title, revision, handshake, meet, stderr }) => {
  let client: OfficialClient;
  let answers: object[] = [];
  const asked: Asked[] = [];
  beforeAll(async () => {
    client = await meet((question) => {
      asked.push(question);
      return answers.shift() ?? { action: 'cancel' };
    });
  });
  beforeEach(() => {
    asked.length = 0;
    client.heard.length = 0;
    client.logged.length = 0;
  });
  afterAll(() => client.close());

  it('is met in the revision of the client', () => {
    expect(client.revision).toBe(revision);
  });

  it('asks the user with every kind of field [ELICIT-005, ELICIT-006, ELICIT-007]', async () => {
    const order = { name: 'mug', email: 'ada@example.com', count: 3, size: 'large', colors: ['r', 'g'] };
    answers = [{ action: 'accept', content: order }];
    const filled = { ...order, weight: 0.5, paper: 'none', gift: false };
    const { content } = (await client.callTool('order')) as { content: [{ text: string }] };
    expect(JSON.parse(content[0].text)).toEqual([true, filled]);
    expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'What shall it be?' } }]);
  });

  it('takes no for an answer, and none [ELICIT-015]', async () => {
    answers = [{ action: 'decline' }, { action: 'cancel' }];
    expect(await client.callTool('visit')).toMatchObject(said({ action: 'decline' }));
    expect(await client.callTool('visit')).toMatchObject(said({ action: 'cancel' }));
  });

  it('asks again and again, in tools, prompts and resources [MRTR-004, MRTR-006]', async () => {
    answers = ['a', 'b', 'c', 'd'].map((name) => ({ action: 'accept', content: { name } }));
    expect(await client.callTool('twice')).toMatchObject(said('a b'));
    expect(await client.getPrompt('greet')).toMatchObject({ messages: [{ content: { text: 'Greet c.' } }] });
    expect(await client.readResource('talker://secret')).toMatchObject({ contents: [{ text: 'told d' }] });
  });

  it('sends the user to a page [ELICIT-009, ELICIT-010, ELICIT-014]', async () => {
    answers = [{ action: 'accept' }];
    expect(await client.callTool('page')).toMatchObject(said('accept'));
    expect(asked).toMatchObject([{ params: { mode: 'url', url: 'https://example.com/consent?state=1' } }]);
    if (handshake) await eventually(() => client.heard.length > 0, 'the page is done');
    expect(client.heard).toEqual(handshake ? ['notifications/elicitation/complete'] : []);
  });

  it('asks the model in words, pictures, sounds and with tools [SAMP-006, SAMP-007]', async () => {
    const use = { type: 'tool_use', id: 'u1', name: 'clock', input: {} };
    answers = [
      model({ type: 'text', text: 'Paris' }),
      model({ type: 'image', data: 'AAAA', mimeType: 'image/png' }),
      model({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }),
      { ...model([use]), stopReason: 'toolUse' },
      model({ type: 'text', text: 'Noon' }),
    ];
    expect(await client.callTool('sample')).toMatchObject({ isError: false });
    expect(await client.callTool('show', { medium: 'image' })).toMatchObject(said('image'));
    expect(await client.callTool('show', { medium: 'audio' })).toMatchObject(said('audio'));
    expect(await client.callTool('useTool')).toMatchObject(said('Noon'));
    expect(asked.map(({ method }) => method)).toEqual(Array.from({ length: 5 }, () => 'sampling/createMessage'));
  });

  it('asks for roots, and again when they have changed [ROOT-003]', async () => {
    answers = [{ roots: [{ uri: 'file:///here' }] }];
    expect(await client.callTool('roots')).toMatchObject(said('file:///here -'));
    answers = [{ roots: [{ uri: 'file:///new', name: 'new' }] }];
    if (handshake) await client.rootsChanged();
    expect(await client.callTool('roots')).toMatchObject(said('file:///new new'));
  });

  it('tells how far it is', async () => {
    const steps: number[] = [];
    await client.callTool('walk', {}, { onprogress: ({ progress }) => void steps.push(progress) });
    expect([0, 40, 100].slice(0, steps.length)).toEqual(steps); // clients drop what they read together with the result
  });

  it('logs what the client wants [LOG-002, LOG-004]', async () => {
    if (handshake) await client.setLoggingLevel('warning');
    await client.callTool('chatter', {}, handshake ? {} : { logLevel: 'info' });
    await eventually(() => client.logged.length >= 5, 'the log comes');
    await roundTrips(client);
    expect(client.logged).toHaveLength(handshake ? 5 : 7);
  });

  it('stops a call that the client aborts [CANCEL-002, CANCEL-004]', async () => {
    const abort = new AbortController();
    const label = `aborted by ${title}`;
    const waiting = client.callTool('wait', { label, milliseconds: 5000 }, { signal: abort.signal });
    await eventually(() => stderr(client).includes(`${label} begun`), 'the call begins');
    abort.abort();
    await expect(waiting).rejects.toThrow();
    await eventually(() => stderr(client).includes(`${label} aborted`), 'the call is aborted');
  });

  it('tells of what changes, until nobody wants to know [SUB-001, SUB-004, SUB-005, SUB-013]', async () => {
    const giveUp = await client.watch('talker://page');
    await client.callTool('touch', { uri: 'talker://page' });
    await client.callTool('touch', { uri: 'talker://other' });
    await client.callTool('change');
    await eventually(() => client.heard.length >= 4, 'the changes are told');
    expect([...client.heard].sort()).toEqual([...LISTS, 'notifications/resources/updated'].sort());
    await giveUp();
    await client.callTool('walk');
    client.heard.length = 0;
    await client.callTool('touch', { uri: 'talker://page' });
    await roundTrips(client);
    expect(client.heard).toEqual([]);
  });
});
