/** What is wrong with extensions is found when a server is defined, all of it at once. */
import {
  DefinitionError,
  Feature,
  Tool,
  createServer,
  extensionMethod,
  tool,
  type DefinitionProblem,
  type Extension,
  type ServerOptions,
} from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { CANCEL, GET, JOB, JOBS, Slow, jobs } from './jobs/jobs';

function problemsOf(options: Partial<ServerOptions>): readonly DefinitionProblem[] {
  try {
    createServer({ name: 'wrong', version: '1.0.0', logger: false, ...options });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

const codesOf = (options: Partial<ServerOptions>): string[] => problemsOf(options).map(({ code }) => code);
const method = (name: string) => extensionMethod({ ...GET, method: name }, () => ({ job: '1', status: 'done' }));

@Feature()
class Bench {
  @Tool('Works') @Slow({ timeout: 100 }) work(): void {}
}

describe('createServer', () => {
  it('takes extensions that fit together', () => {
    expect(
      codesOf({
        features: [Bench],
        extensions: [jobs(), { name: 'com.example/more', protocol: { methods: [method('more/get')] } }],
      }),
    ).toEqual([]);
  });

  it('reports values that are no extensions, and their members', () => {
    const wrong = [
      7,
      {},
      { name: 'words' },
      { name: 'com.example/a', method: [] },
      { name: 'com.example/b', protocol: { methods: [{}] } },
      { name: 'com.example/c', protocol: { method: [] } },
      { name: 'com.example/d', protocol: 7 },
    ];
    expect(problemsOf({ extensions: wrong as unknown as Extension[] })).toMatchObject([
      { code: 'SIGIL_EXTENSION_KIND', where: 'createServer({ extensions })[0]' },
      { code: 'SIGIL_EXTENSION_NAME', where: 'createServer({ extensions })[1]' },
      { code: 'SIGIL_EXTENSION_NAME', where: 'createServer({ extensions })[2]' },
      { code: 'SIGIL_EXTENSION_UNKNOWN', problem: 'there is no member method of an extension.' },
      { problem: 'its protocol.methods is an array.', fix: 'Pass an array of methods made with extensionMethod().' },
      { code: 'SIGIL_EXTENSION_UNKNOWN', problem: 'there is no member protocol.method of an extension.' },
      { code: 'SIGIL_EXTENSION_MEMBER', problem: 'its protocol is 7.', fix: 'Pass an object.' },
    ]);
    expect(codesOf({ extensions: {} as Extension[] })).toEqual(['SIGIL_OPTION_KIND']);
  });

  it('reports the same extension twice, and two with the same method, field, type or key', () => {
    expect(codesOf({ extensions: [jobs(), jobs()] })).toEqual(['SIGIL_EXTENSION_TWICE']);
    const protocol = { methods: [method(CANCEL.method)], resultTypes: [JOB] };
    const other: Extension = { name: 'com.example/other', protocol };
    expect(problemsOf({ extensions: [jobs(), other] })).toMatchObject([
      {
        code: 'SIGIL_EXTENSION_CLASH',
        where: 'extension com.example/other',
        problem: `it adds the method jobs/cancel, which extension ${JOBS} has.`,
      },
      { code: 'SIGIL_EXTENSION_CLASH', problem: `it adds the type of results job, which extension ${JOBS} has.` },
    ]);
  });

  it('reports what the protocol has', () => {
    const extension: Extension = {
      name: 'com.example/taken',
      protocol: {
        methods: [method('tools/call'), method('server/discover')],
        serverNotifications: [{ method: 'notifications/progress', compile: jest.fn() }],
        resultTypes: [{ ...JOB, name: 'complete' }],
        metaKeys: [{ name: 'progressToken', read: () => 1 }],
        listenFields: [{ name: 'toolsListChanged', read: () => true, covers: () => true }],
      },
    };
    expect(problemsOf({ extensions: [extension] }).map(({ problem }) => problem)).toEqual([
      'it adds the method tools/call, which the protocol has.',
      'it adds the method server/discover, which the protocol has.',
      'it adds the notification notifications/progress, which the protocol has.',
      'it adds the key of _meta progressToken, which the protocol has.',
      'it adds the type of results complete, which the protocol has.',
      'it adds the field of subscriptions/listen toolsListChanged, which the protocol has.',
    ]);
  });

  it('reports a decorator whose extension is missing, and what the extension finds wrong', () => {
    expect(problemsOf({ features: [Bench] })).toMatchObject([
      {
        code: 'SIGIL_EXTENSION_MISSING',
        where: 'Bench.work',
        problem: `Slow belongs to the extension ${JOBS}, which this server does not have.`,
      },
    ]);
    const hasty = tool('hasty', { description: 'Has no time', facts: [Slow.with({ timeout: 0 })] }, () => 'done');
    expect(problemsOf({ features: [hasty], extensions: [jobs()] })).toMatchObject([{ code: 'JOBS_TIMEOUT' }]);
    expect(codesOf({ features: [hasty] })).toEqual(['SIGIL_EXTENSION_MISSING']);
  });

  it('reports facts where nothing reads them, and values that are none', () => {
    @Feature()
    class Shelf {
      @Tool('Works') work(): void {}
      @Slow({ timeout: 1 }) help(): void {}
    }
    expect(codesOf({ features: [Shelf], extensions: [jobs()] })).toEqual(['SIGIL_FACT_TARGET']);
    const odd = tool('odd', { description: 'Is odd', facts: ['slow'] as never }, () => 'done');
    expect(codesOf({ features: [odd] })).toEqual(['SIGIL_FACT_VALUES']);
  });
});

describe('an extension that starts', () => {
  it('is given the name and the version of its server', async () => {
    const given: unknown[] = [];
    const extension: Extension = {
      name: 'com.example/named',
      start(services) {
        given.push(services.server);
        return services;
      },
    };
    const server = createServer({
      name: 'bench',
      version: '1.2.3',
      features: [Bench],
      extensions: [jobs(), extension],
    });
    const client = await connect(server);
    expect(given).toEqual([{ name: 'bench', version: '1.2.3' }]);
    await client.close();
    await server.close();
  });
});

describe('what the start of an extension makes', () => {
  interface Counted {
    readonly uses: string[];
    stop(): void;
  }

  it('is what its methods and stages receive: that of their own server, until it stops', async () => {
    const made: Counted[] = [];
    const stopped: Counted[] = [];
    const counting: Extension<Counted> = {
      name: 'com.example/counting',
      protocol: {
        isForEveryRevision: true,
        methods: [
          extensionMethod({ ...GET, method: 'counting/get' }, (_call, { uses }) => ({ job: '1', status: uses.join() })),
        ],
      },
      stage: ({ key }) => ({ isForEveryone: true, run: (_call, next, { uses }) => (uses.push(key), next()) }),
      start() {
        const counted: Counted = { uses: [], stop: () => void stopped.push(counted) };
        made.push(counted);
        return Promise.resolve(counted);
      },
    };
    const define = () =>
      createServer({ name: 'bench', version: '1.0.0', features: [Bench], extensions: [jobs(), counting] });
    const [server, other] = [define(), define()];
    const capabilities = { extensions: { [counting.name]: {} } };
    const [client, third] = [await connect(server, { capabilities }), await connect(other, { capabilities })];
    await client.callTool('work');
    expect(await client.request('counting/get', { job: '1' })).toMatchObject({ status: 'work' });
    expect(await third.request('counting/get', { job: '1' })).toMatchObject({ status: '' });
    expect([made.map(({ uses }) => uses), stopped]).toEqual([[['work'], []], []]);
    await client.close();
    await server.close();
    expect(stopped).toEqual([made[0]]);
    await third.close();
    await other.close();
    expect(stopped).toEqual(made);
  });

  it('is the services, where JavaScript returns nothing', async () => {
    const given: unknown[] = [];
    const extension: Extension = {
      name: 'com.example/silent',
      start: () => undefined as never,
      stage: () => ({ isForEveryone: true, run: (_call, next, { server }) => (given.push(server.name), next()) }),
    };
    const client = await connect(
      createServer({ name: 'bench', version: '1.0.0', features: [Bench], extensions: [jobs(), extension] }),
    );
    await client.callTool('work');
    expect(given).toEqual(['bench']);
    await client.close();
  });
});

describe('an extension for every revision', () => {
  it('does not carry others to the revisions before 2026-07-28', async () => {
    const everywhere: Extension = {
      name: 'com.example/everywhere',
      protocol: { isForEveryRevision: true, methods: [method('every/get')] },
    };
    const extensions = [everywhere, { name: 'com.example/others' }];
    const server = createServer({ name: 'a', version: '1.0.0', logger: false, features: [], extensions });
    const client = await connect(server, { revision: '2025-11-25' });
    const opening = client.traffic.find(({ from }) => from === 'server');
    expect(opening?.text).toContain('"extensions":{"com.example/everywhere":{}}');
    await client.close();
  });
});
