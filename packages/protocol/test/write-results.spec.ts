import type { CallToolResult, JsonObject, Method, Revision } from '@sigil-mcp/protocol';
import {
  ALL_REVISIONS,
  HANDSHAKE_REVISIONS,
  META_KEYS,
  NEWEST_PER_REQUEST_REVISION,
  findRevision,
} from '@sigil-mcp/protocol';
import { describeWithSchemas } from '../../../test/support/supplies/official-schema';
import { askForm, askUrl, capabilities, content, deepFreeze, results, sampleWithTools, server } from './rich-values';

const newest = NEWEST_PER_REQUEST_REVISION;
const named = (revisions: readonly Revision[]) => revisions.map((revision) => [revision.version, revision] as const);
const call = (version: string, result: Partial<CallToolResult>): Record<string, unknown> =>
  findRevision(version)!
    .writerFor(server)
    .writeResult('tools/call', deepFreeze({ content: [], isError: false, ...result }));

deepFreeze([results, server]);

const laterWords = ['resultType', 'ttlMs', 'cacheScope', META_KEYS.serverInfo, '"extensions"', 'structuredRoot'];

describe.each(named([...HANDSHAKE_REVISIONS, newest]))('the texts of the results of %s', (_version, revision) => {
  it('say the same as the results, with and without metadata of their own', () => {
    for (const method of [...revision.requests] as Method[]) {
      for (const result of [results[method], deepFreeze({ ...results[method], _meta: undefined })]) {
        const text = revision.writerFor(server).writeResultText(method, result);
        expect(JSON.parse(text)).toEqual(
          JSON.parse(JSON.stringify(revision.writerFor(server).writeResult(method, result))),
        );
      }
    }
  });
});

describe.each(named([...HANDSHAKE_REVISIONS, newest]))(
  'a tool result whose data is a text already, on %s',
  (_version, revision) => {
    it.each([
      ['an object', { a: 'x"y', b: [1] }, 'object'],
      ['an object under a schema of any root', { a: 1 }, 'any'],
      ['an array', [1, 'two'], undefined],
      ['null', null, undefined],
    ] as const)('is the same as one that is written whole: %s', (_name, data, structuredRoot) => {
      const structuredText = JSON.stringify(data);
      const result: CallToolResult = {
        content: [{ type: 'text', text: structuredText }],
        structuredContent: data,
        ...(structuredRoot && { structuredRoot }),
        isError: false,
      };
      const quick = revision.writerFor(server).writeResultText('tools/call', { ...result, structuredText });
      expect(JSON.parse(quick)).toEqual(JSON.parse(revision.writerFor(server).writeResultText('tools/call', result)));
    });

    it.each<[string, CallToolResult]>([
      ['no content', { content: [], isError: false }],
      ['a failure', { content: [{ type: 'text', text: 'No "rain"\n' }], isError: true }],
      [
        'several texts',
        {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: '' },
          ],
          isError: false,
        },
      ],
      ['hints', { content: [{ type: 'text', text: 'a', annotations: { priority: 1 } }], isError: false }],
      ['metadata of a block', { content: [{ type: 'text', text: 'a', _meta: { 'x.y/z': 1 } }], isError: false }],
      [
        'other kinds',
        {
          content: [
            { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
            { type: 'resource_link', uri: 'a:b', name: 'b' },
            { type: 'text', text: 'and text' },
          ],
          isError: false,
        },
      ],
      [
        'data beside words of their own',
        {
          content: [{ type: 'text', text: 'The sum is 3.' }],
          structuredContent: { sum: 3 },
          structuredText: '{"sum":3}',
          structuredRoot: 'object',
          isError: false,
        },
      ],
      ['metadata', { content: [{ type: 'text', text: 'a' }], isError: false, _meta: { 'x.y/z': 1 } }],
    ])('is the same text as that of the object: %s', (_name, result) => {
      const writer = revision.writerFor(server);
      const text = writer.writeResultText('tools/call', result);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(writer.writeResult('tools/call', result))));
    });
  },
);

describe.each(named(HANDSHAKE_REVISIONS))('the results of %s', (_version, revision) => {
  it('are exactly {} where there is nothing to say', () => {
    expect(revision.writerFor(server).writeResult('ping', {})).toEqual({});
    expect(revision.writerFor(server).writeResult('logging/setLevel', {})).toEqual({});
  });

  it('bear nothing of what came with 2026-07-28', () => {
    for (const method of [...revision.requests] as Method[]) {
      const text = JSON.stringify(revision.writerFor(server).writeResult(method, results[method]));
      for (const word of laterWords) expect(text).not.toContain(word);
    }
  });

  it('keep their own _meta, cursor and instructions', () => {
    const list = revision.writerFor(server).writeResult('tools/list', results['tools/list']);
    expect(list).toMatchObject({ nextCursor: 'bmV4dA', _meta: { 'com.example/note': 'kept' } });
    const initialized = revision.writerFor(server).writeResult('initialize', results.initialize);
    expect(initialized).toMatchObject({ instructions: 'Ask.', serverInfo: { name: 'weather', version: '1.0.0' } });
  });
});

describe('the results of 2026-07-28', () => {
  const methods = [...newest.requests] as Method[];
  const cacheable: Method[] = [
    'server/discover',
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
  ];

  it.each(methods)('are complete, and say by whom: %s [BASE-019] [BASE-020] [BASE-032] [DISC-003]', (method) => {
    const written = newest.writerFor(server).writeResult(method, results[method]);
    expect(written).toMatchObject({
      resultType: 'complete',
      _meta: { 'com.example/note': 'kept', [META_KEYS.serverInfo]: server },
    });
    expect(written).not.toHaveProperty('serverInfo');
  });

  it('say how long six of them may be kept [CACHE-001] [CACHE-002] [DISC-002]', () => {
    for (const method of methods) {
      const written = newest.writerFor(server).writeResult(method, results[method]);
      if (cacheable.includes(method)) expect(written).toMatchObject({ ttlMs: 5000, cacheScope: 'public' });
      else expect(Object.keys(written)).not.toEqual(expect.arrayContaining(['ttlMs']));
    }
  });

  it('must not be kept when nobody says otherwise [CACHE-001]', () => {
    const written = newest.writerFor(server).writeResult('tools/list', { tools: [] });
    expect(written).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });
});

describe('the result of a tool', () => {
  it('has content and isError, always [TOOL-014]', () => {
    for (const { version } of ALL_REVISIONS) expect(call(version, {})).toMatchObject({ content: [], isError: false });
  });

  it.each(['2024-11-05', '2025-03-26'])('has no structured content before 2025-06-18: %s', (version) => {
    const written = call(version, { content, structuredContent: { a: 1 } });
    expect(written).not.toHaveProperty('structuredContent');
    expect(written['content']).toHaveLength(content.length);
  });

  it.each(['2025-06-18', '2025-11-25'])('wraps what is no object: %s [TOOL-011]', (version) => {
    const object = { a: 1 };
    expect(call(version, { structuredContent: object })['structuredContent']).toBe(object);
    for (const value of [[1], 'text', 5, true, null]) {
      expect(call(version, { structuredContent: value })['structuredContent']).toEqual({ result: value });
    }
  });

  it.each(['2025-06-18', '2025-11-25'])('wraps an object too where the schema is listed wrapped: %s', (version) => {
    const structuredContent = { a: 1 };
    expect(call(version, { structuredContent, structuredRoot: 'any' })).toHaveProperty('structuredContent', {
      result: structuredContent,
    });
    expect(call(version, { structuredContent, structuredRoot: 'object' })['structuredContent']).toBe(structuredContent);
  });

  it('is any JSON in 2026-07-28', () => {
    for (const value of [[1], 'text', 5, true, null, { a: 1 }]) {
      const written = call('2026-07-28', { structuredContent: value, structuredRoot: 'any' });
      expect(written['structuredContent']).toBe(value);
      expect(written).not.toHaveProperty('structuredRoot');
    }
  });
});

describe('what revisions know of the other nouns', () => {
  const knows = (method: Method, word: string) =>
    ALL_REVISIONS.filter(({ requests }) => requests.has(method)).map((revision) =>
      JSON.stringify(revision.writerFor({} as typeof server).writeResult(method, results[method])).includes(
        `"${word}":`,
      ),
    );

  it.each([
    ['tools/list', 'readOnlyHint', [false, true, true, true, true]],
    ['tools/list', 'outputSchema', [false, false, true, true, true]],
    ['tools/list', 'icons', [false, false, false, true, true]],
    ['resources/list', 'size', [true, true, true, true, true]],
    ['resources/list', 'title', [false, false, true, true, true]],
    ['resources/list', 'icons', [false, false, false, true, true]],
    ['resources/templates/list', 'title', [false, false, true, true, true]],
    ['resources/templates/list', 'icons', [false, false, false, true, true]],
    ['prompts/list', 'title', [false, false, true, true, true]],
    ['prompts/list', 'icons', [false, false, false, true, true]],
    ['initialize', 'completions', [false, true, true, true]],
    ['initialize', 'title', [false, false, true, true]],
    ['initialize', 'websiteUrl', [false, false, false, true]],
  ] as const)('%s: %s', (method, word, expected) => {
    expect(knows(method, word)).toEqual(expected);
  });

  it('writes a tool title as an annotation where that is its only place', () => {
    const tool = (version: string, annotations?: { title?: string; readOnlyHint?: boolean }) => {
      const listed = { name: 'a', title: 'A', inputSchema: { type: 'object' }, ...(annotations && { annotations }) };
      return (
        findRevision(version)!
          .writerFor(server)
          .writeResult('tools/list', { tools: [listed] })['tools'] as object[]
      )[0];
    };
    expect(tool('2024-11-05')).toEqual({ name: 'a', inputSchema: { type: 'object' } });
    expect(tool('2025-03-26')).toMatchObject({ annotations: { title: 'A' } });
    expect(tool('2025-03-26', { readOnlyHint: true })).toMatchObject({
      annotations: { title: 'A', readOnlyHint: true },
    });
    expect(tool('2025-03-26', { title: 'B' })).toMatchObject({ annotations: { title: 'B' } });
    expect(tool('2025-06-18')).not.toHaveProperty('annotations');
  });

  it('advertises extensions in 2026-07-28 only', () => {
    expect(newest.writerFor(server).writeResult('server/discover', results['server/discover'])).toMatchObject({
      capabilities,
    });
  });
});

/** A question of every kind. */
const inputRequests = {
  city: newest.writeServerRequest({ method: 'elicitation/create', params: askForm }),
  page: newest.writeServerRequest({ method: 'elicitation/create', params: askUrl }),
  model: newest.writeServerRequest({ method: 'sampling/createMessage', params: sampleWithTools }),
  roots: newest.writeServerRequest({ method: 'roots/list', params: {} }),
};

describe('a result that asks', () => {
  const write = (questions: object, requestState?: string) =>
    newest
      .writerFor(server)
      .writeInputRequired(
        deepFreeze({ inputRequests: { ...questions }, ...(requestState !== undefined && { requestState }) }),
      );

  it('says so, and by whom [MRTR-003] [BASE-020]', () => {
    expect(write(inputRequests, 'sealed')).toEqual({
      resultType: 'input_required',
      inputRequests,
      requestState: 'sealed',
      _meta: { [META_KEYS.serverInfo]: server },
    });
  });

  it('has questions or a state, and leaves out which it has not [MRTR-004]', () => {
    expect(Object.keys(write(inputRequests))).toEqual(['resultType', 'inputRequests', '_meta']);
    expect(Object.keys(write({}, ''))).toEqual(['resultType', 'requestState', '_meta']);
  });

  it('is never kept', () => {
    for (const word of ['ttlMs', 'cacheScope']) expect(write(inputRequests)).not.toHaveProperty(word);
  });

  it('asks with methods and parameters, not with messages [MRTR-006]', () => {
    for (const asked of Object.values(write(inputRequests)['inputRequests'] as JsonObject)) {
      expect(['method', 'method,params']).toContain(Object.keys(asked as JsonObject).join());
    }
  });
});

describeWithSchemas('a result that asks, by the official schema', (schemas) => {
  it('is valid with every kind of question, and with a state alone [MRTR-003] [MRTR-004] [MRTR-006]', () => {
    const official = schemas().get(newest.version)!;
    for (const result of [{ inputRequests }, { inputRequests: {}, requestState: 'sealed' }]) {
      expect(official.errors('InputRequiredResult', newest.writerFor(server).writeInputRequired(result))).toEqual([]);
    }
  });
});
