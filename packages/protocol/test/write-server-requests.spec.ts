import type { JsonObject, ServerRequest, WrittenServerRequest } from '@sigil-mcp/protocol';
import { ALL_REVISIONS, HANDSHAKE_REVISIONS, findRevision } from '@sigil-mcp/protocol';
import { describeWithSchemas } from '../../../test/support/supplies/official-schema';
import { validateMessage } from '../../../test/support/supplies/judge-message';
import { askForm, askUrl, deepFreeze, sample, sampleWithTools } from './rich-values';

const form: ServerRequest = { method: 'elicitation/create', params: askForm };
const url: ServerRequest = { method: 'elicitation/create', params: askUrl };
const sampling: ServerRequest = { method: 'sampling/createMessage', params: sample };
const withTools: ServerRequest = { method: 'sampling/createMessage', params: sampleWithTools };
const roots: ServerRequest = { method: 'roots/list', params: {} };
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

const write = (version: string, request: ServerRequest): WrittenServerRequest =>
  findRevision(version)!.writeServerRequest(deepFreeze(request));
const params = (version: string, request: ServerRequest): JsonObject => write(version, request).params ?? {};
const messages = (version: string, request: ServerRequest) => params(version, request)['messages'] as JsonObject[];
const versions = ALL_REVISIONS.map(({ version }) => version);

/** The requests that a revision can make of a client that declared everything. */
const possible = (version: string): ServerRequest[] =>
  [form, url, sampling, withTools, roots].filter(
    (request) => findRevision(version)!.missingCapabilities(request, everything) === undefined,
  );

describeWithSchemas('the requests of a server, by the official schemas', (schemas) => {
  const definitions: Readonly<Record<string, string>> = {
    'elicitation/create': 'ElicitRequest',
    'sampling/createMessage': 'CreateMessageRequest',
    'roots/list': 'ListRootsRequest',
  };

  it.each(HANDSHAKE_REVISIONS.map(({ version }) => version))(
    'are valid messages of %s [ELICIT-005] [ELICIT-006] [ELICIT-007] [SAMP-006]',
    (version) => {
      for (const request of possible(version)) {
        const message = { jsonrpc: '2.0', id: 1, ...write(version, request) };
        expect(validateMessage(version, message, { direction: 'server' })).toEqual([]);
      }
    },
  );

  it('are valid questions in results of 2026-07-28 [MRTR-006] [ELICIT-005] [ELICIT-006] [SAMP-006]', () => {
    const official = schemas().get('2026-07-28')!;
    for (const request of possible('2026-07-28')) {
      const written = write('2026-07-28', request);
      expect(official.errors(definitions[request.method] ?? '', written)).toEqual([]);
      expect(official.errors('InputRequest', written)).toEqual([]);
    }
  });

  it.each([
    ['2024-11-05', 2],
    ['2025-03-26', 2],
    ['2025-06-18', 3],
    ['2025-11-25', 5],
    ['2026-07-28', 5],
  ])('are on %s %d of 5', (version, count) => {
    expect(possible(version)).toHaveLength(count);
  });
});

describe('writeServerRequest', () => {
  it.each(versions)('writes a method and its parameters, and nothing of a message, on %s [MRTR-006]', (version) => {
    for (const request of possible(version)) {
      const written = write(version, request);
      expect(written.method).toBe(request.method);
      expect(Object.keys(written)).toEqual(request === roots ? ['method'] : ['method', 'params']);
    }
  });

  it('names the mode of a form where the revision has modes [ELICIT-005] [ELICIT-006]', () => {
    expect(params('2025-06-18', form)).toEqual({
      message: askForm.message,
      requestedSchema: expect.objectContaining({ type: 'object', required: ['name', 'skies'] }) as unknown,
    });
    for (const version of ['2025-11-25', '2026-07-28']) expect(params(version, form)).toEqual(askForm);
  });

  it('identifies a page in 2025-11-25 [ELICIT-009] [ELICIT-010]', () => {
    expect(params('2025-11-25', url)).toEqual(askUrl);
  });

  it('does not identify a page in 2026-07-28 [ELICIT-009] [ELICIT-014]', () => {
    expect(params('2026-07-28', url)).toEqual({ mode: 'url', message: askUrl.message, url: askUrl.url });
  });
});

describe('a written request for sampling', () => {
  it.each(versions)('has messages with a role and content, and a limit of tokens, on %s [SAMP-006]', (version) => {
    const written = params(version, sampling);
    const { messages: _messages, ...others } = sample;
    expect(written).toMatchObject(others);
    for (const message of messages(version, sampling)) {
      expect(['user', 'assistant']).toContain(message['role']);
      expect(message['content']).toBeDefined();
    }
  });

  it('has no audio in 2024-11-05, but words that say so [SAMP-008]', () => {
    expect(JSON.stringify(params('2024-11-05', sampling))).not.toContain('"audio"');
    expect(messages('2024-11-05', sampling)[2]).toMatchObject({
      role: 'user',
      content: { type: 'text', text: '[audio/wav audio, 4 bytes: not available in protocol revision 2024-11-05]' },
    });
    expect(messages('2025-03-26', sampling)[2]).toMatchObject({ content: { type: 'audio', data: 'AAECAw==' } });
  });

  it('has one block for each message before 2025-11-25, without losing one', () => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18']) {
      const written = messages(version, sampling);
      expect(written.map(({ role }) => role)).toEqual(['user', 'user', 'user', 'assistant']);
      for (const message of written) expect(Object.keys(message)).toEqual(['role', 'content']);
    }
  });

  it('has a list of blocks since 2025-11-25, and a single block as it is', () => {
    for (const version of ['2025-11-25', '2026-07-28']) {
      const [asked, answered] = messages(version, sampling);
      expect(asked).toMatchObject({ _meta: sample.messages[0]?._meta });
      expect(asked?.['content']).toHaveLength(3);
      expect(answered).toEqual({ role: 'assistant', content: { type: 'text', text: 'Rain.' } });
    }
  });

  it('has nothing of tools unless the revision knows them [SAMP-001]', () => {
    for (const version of versions) {
      const { tools, toolChoice } = params(version, withTools);
      const knows = version >= '2025-11-25';
      expect([tools !== undefined, toolChoice !== undefined]).toEqual([knows, knows]);
    }
  });

  it('wraps the data of a tool where only objects may be', () => {
    const results = (version: string) => messages(version, withTools).at(-1)?.['content'];
    expect(results('2025-11-25')).toMatchObject([
      { structuredContent: { summary: 'rain' } },
      { structuredContent: { result: ['Oslo'] } },
    ]);
    expect(results('2026-07-28')).toMatchObject([
      { structuredContent: { summary: 'rain' } },
      { structuredContent: ['Oslo'] },
    ]);
  });
});
