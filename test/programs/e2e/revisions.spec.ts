/** The built apps on the wire, in each revision and over each transport: every message is judged by the official schema. */
import { until } from '../../support/until';
import type { Message } from '../../support/transcript';
import { HANDSHAKES, meetOnce, PER_REQUEST, VERSIONED, wireKinds } from './met-servers';

const resultOf = (message: Message): Message => {
  expect(message).toHaveProperty('result');
  return message['result'] as Message;
};
const errorOf = (message: Message): Message => message['error'] as Message;
const call = (name: string, args: object = {}): object => ({ name, arguments: args });

describe.each(wireKinds())('the built apps on the wire, $title', (wires) => {
  const meet = meetOnce(wires);

  describe.each(HANDSHAKES)('in the handshake of %s', (revision) => {
    it('negotiate exactly that revision [LIFE-003, LIFE-004]', async () => {
      const { opening } = await meet('weather', revision);
      expect(resultOf(opening)).toMatchObject({ protocolVersion: revision, serverInfo: { name: 'weather' } });
    });

    it('answer a ping with an empty result [BASE-048]', async () => {
      const { ask } = await meet('weather', revision);
      expect(resultOf(await ask('ping'))).toEqual({});
    });

    it('report a missing resource in the words of the revision [RSRC-005]', async () => {
      const { ask } = await meet('weather', revision);
      expect(errorOf(await ask('resources/read', { uri: 'weather://Gotham/climate' }))).toMatchObject({ code: -32002 });
    });
  });

  describe(`in ${PER_REQUEST}`, () => {
    it('say at once which revisions they serve, before any handshake [DISC-001, DISC-002, DISC-005]', async () => {
      const { opening } = await meet('weather', PER_REQUEST);
      expect(resultOf(opening)).toMatchObject({
        resultType: 'complete',
        supportedVersions: expect.arrayContaining([PER_REQUEST]),
      });
    });

    it('report a missing resource with its URI [RSRC-006, RSRC-007]', async () => {
      const { ask } = await meet('weather', PER_REQUEST);
      const uri = 'weather://Gotham/climate';
      expect(errorOf(await ask('resources/read', { uri }))).toMatchObject({ code: -32602, data: { uri } });
    });

    it('serve a handshake beside it, on the same process [LIFE-016, LIFE-017, LIFE-018]', async () => {
      const server = await wires.open('weather');
      expect(resultOf(await server.requestAlone('tools/list'))).toHaveProperty('resultType', 'complete');
      expect(resultOf(await server.initialize('2025-06-18'))).toMatchObject({ protocolVersion: '2025-06-18' });
      expect(resultOf(await server.requestAlone('tools/list'))).toHaveProperty('resultType', 'complete');
      expect(resultOf(await server.request('tools/list'))).not.toHaveProperty('resultType');
    });
  });

  describe.each([...HANDSHAKES, PER_REQUEST])('in every revision: %s', (revision) => {
    it('serve the weather: lists, calls, resources, prompts, completions [BASE-001, BASE-003, BASE-004]', async () => {
      const { ask } = await meet('weather', revision);
      expect(resultOf(await ask('tools/list'))['tools']).toHaveLength(3);
      expect(resultOf(await ask('prompts/list'))['prompts']).toHaveLength(2);
      expect(resultOf(await ask('resources/list'))['resources']).toHaveLength(1);
      expect(resultOf(await ask('resources/templates/list'))['resourceTemplates']).toHaveLength(1);
      const forecast = resultOf(await ask('tools/call', call('forecast', { city: 'Nairobi', from: '2026-04-01' })));
      expect(forecast).toMatchObject({ isError: false, content: [{ text: expect.stringContaining('Kenya') }] });
      expect('structuredContent' in forecast).toBe(revision >= '2025-06-18');
      expect(resultOf(await ask('resources/read', { uri: 'weather://cities' }))['contents']).toHaveLength(1);
      const trip = { name: 'planTrip', arguments: { city: 'Cairo', month: 'March' } };
      expect(resultOf(await ask('prompts/get', trip))['messages']).toHaveLength(2);
      const ref = { type: 'ref/prompt', name: 'planTrip' };
      const completed = resultOf(await ask('completion/complete', { ref, argument: { name: 'city', value: 'Osl' } }));
      expect(completed).toMatchObject({ completion: { values: ['Oslo'] } });
    });

    // Judged on the wire: the official clients drop progress that they read together with a fast tool's result.
    it('report progress before the result, and only if asked [PROG-001, PROG-002, PROG-003]', async () => {
      const { server, ask } = await meet('weather', revision);
      const comparison = call('compareCities', { cities: ['Lima', 'Oslo'] });
      const progress = (): Message[] => server.messages.filter(({ method }) => method === 'notifications/progress');
      await ask('tools/call', comparison);
      expect(progress()).toEqual([]);
      const versioned = revision === PER_REQUEST ? VERSIONED : {};
      const answer = await server.request('tools/call', {
        ...comparison,
        _meta: { ...versioned, progressToken: 'p1' },
      });
      expect(resultOf(answer)).toMatchObject({ isError: false });
      expect(progress().map(({ params }) => params)).toMatchObject([
        { progressToken: 'p1', progress: 0, total: 2 },
        { progressToken: 'p1', progress: 1, total: 2 },
      ]);
    });

    it('report arguments that do not fit as the revision wants it [TOOL-020, TOOL-021]', async () => {
      const { ask } = await meet('weather', revision);
      const answer = await ask('tools/call', call('forecast', { city: 'Oslo', days: 99 }));
      if (revision < '2025-11-25') expect(errorOf(answer)).toMatchObject({ code: -32602 });
      else expect(resultOf(answer)).toMatchObject({ isError: true });
      expect(errorOf(await ask('tools/call', call('forecats')))).toMatchObject({ code: -32602 });
    });

    it('serve the contract of the conformance suite [TOOL-015, TOOL-017]', async () => {
      const { ask } = await meet('everything', revision);
      const { tools } = resultOf(await ask('tools/list'));
      for (const { name } of tools as { name: string }[]) {
        const answer = await ask('tools/call', call(name, needed[name]));
        if (ASKS.test(name)) {
          // The client of this test declares nothing that it could be asked.
          expect([name, errorOf(answer)]).toMatchObject([name, { code: revision > '2025-11-25' ? -32021 : -32602 }]);
          expect(errorOf(answer)['data']).toHaveProperty('requiredCapabilities');
          continue;
        }
        const result = resultOf(answer);
        expect([name, result['isError']]).toEqual([name, name === 'test_error_handling']);
      }
      const [sound] = resultOf(await ask('tools/call', call('test_audio_content')))['content'] as { type: string }[];
      expect(sound?.type === 'audio').toBe(revision > '2024-11-05');
      for (const uri of ['test://static-text', 'test://static-binary', 'test://template/7/data']) {
        expect(resultOf(await ask('resources/read', { uri }))).toHaveProperty('contents.0.uri', uri);
      }
      for (const name of ['test_simple_prompt', 'test_prompt_with_image']) {
        expect(resultOf(await ask('prompts/get', { name }))).toHaveProperty('messages');
      }
    });

    it('send nothing for a cancelled call [CANCEL-002, CANCEL-003]', async () => {
      const { server, ask } = await meet('everything', revision);
      const versioned = revision === PER_REQUEST ? { _meta: VERSIONED } : {};
      const _meta = { ...versioned._meta, progressToken: 'p' };
      const id = server.start('tools/call', { ...call('test_tool_with_progress'), _meta });
      // Over HTTP the cancellation may overtake a call that has not begun.
      await until(() => server.messages.some(({ method }) => method === 'notifications/progress'));
      server.cancel(id);
      // Another call as long, which begins later and so ends later.
      expect(resultOf(await ask('tools/call', call('test_tool_with_progress')))).toMatchObject({ isError: false });
      expect(server.messages.filter((message) => message['id'] === id)).toEqual([]);
      expect(resultOf(await ask('tools/call', call('test_simple_text')))).toMatchObject({ isError: false });
    });

    // The last one: it ends the server of the others.
    it('end with their transport, exit code 0 and nothing but messages [STDIO-001, STDIO-002, STDIO-006]', async () => {
      const { server, ask } = await meet('weather', revision);
      await ask('tools/call', call('forecast', { city: 'Oslo' }));
      expect(await server.end()).toEqual({ code: 0, signal: null });
      for (const message of server.messages) expect(message).toHaveProperty('jsonrpc', '2.0');
    });
  });
});

/** Tools that cannot do anything for a client that cannot be asked, or does not know tasks. */
const ASKS =
  /sampling|elicitation|missing_capability|input_required_result_(?!capabilities)|confirm_delete|multi_input|tool_with_task|(failing|protocol_error)_job/;

/** What tools cannot be called without. */
const needed: Readonly<Record<string, object>> = {
  json_schema_2020_12_tool: { email: 'a' },
  greet: { name: 'Ada' },
  slow_compute: { seconds: 0 },
  confirm_delete: { filename: 'a.txt' },
  test_sampling: { prompt: 'Hello?' },
  test_elicitation: { message: 'Hello?' },
  test_x_mcp_header: { region: 'us-west1' },
};
