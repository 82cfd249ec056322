/** Features, and how one sees what a client of a revision sees of each. */
import type { JsonObject, Revision } from '@sigil-mcp/protocol';
import { RpcError, type TestClient } from '@sigil-mcp/testing';

/** One cell of the table. */
export type Probe = (client: TestClient, revision: Revision) => Promise<string> | string;

/** A table: feature -> probe. */
export interface Probes {
  readonly title: string;
  readonly about: string;
  readonly rows: Readonly<Record<string, Probe>>;
}

const yesIf = (seen: unknown): string => (seen === undefined || seen === false ? '–' : 'yes');

/** Members of what a list has under a name. */
const listed =
  (method: string, name: string, member: string): Probe =>
  async (client) => {
    const result = await client.request(method);
    const [entries = []] = Object.values(result).filter(Array.isArray) as JsonObject[][];
    return yesIf(entries.find((entry) => entry['name'] === name)?.[member]);
  };

/** The kind of the first block that a tool answers with. */
const blockOf =
  (name: string): Probe =>
  async (client) => {
    const { content } = await client.request('tools/call', { name, arguments: {} });
    return (content as { type: string }[])[0]?.type ?? 'nothing';
  };

/** How a question reaches the client, if it does. */
const asked =
  (name: string): Probe =>
  async (client) => {
    const before = client.questions.length;
    await client.callTool(name).catch(() => undefined);
    const question = client.questions[before];
    if (question === undefined) return '–';
    return question.key === undefined ? 'asked' : 'asked by a result';
  };

/** The fields of the form that was asked. */
function fieldsOf(params: JsonObject | undefined): Readonly<Record<string, { type: string }>> {
  const schema = params?.['requestedSchema'] as { properties?: Record<string, { type: string }> } | undefined;
  return schema?.properties ?? {};
}

/** Whether a text stands in a message of the server, after some work. */
const told =
  (text: string, work: (client: TestClient) => Promise<unknown> = async () => undefined): Probe =>
  async (client) => {
    await work(client);
    return yesIf(client.traffic.some((message) => message.from === 'server' && message.text.includes(text)));
  };

const failed = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'a result with `isError`';
  } catch (error) {
    return error instanceof RpcError ? `error ${error.code}` : String(error);
  }
};

const reports = (client: TestClient): Promise<unknown> =>
  client.callTool('reports', {}, { onProgress: () => undefined, logLevel: 'debug' });

/** The tables of the page, in their order. */
export const PROBES: readonly Probes[] = [
  {
    title: 'Connection',
    about: 'Handlers do not see these differences.',
    rows: {
      'a connection opens with': (_, { lifecycle }) => (lifecycle === 'handshake' ? '`initialize`' : 'any request'),
      '`server/discover`': (_, { requests }) => yesIf(requests.has('server/discover')),
      '`ping`': (_, { requests }) => yesIf(requests.has('ping')),
      'batches of JSON-RPC': (_, { batches }) => yesIf(batches),
      'title of the server': told('"title":"A title"'),
      'website of the server': told('"websiteUrl"'),
      'extensions of the protocol': told('com.example/extension', (client) =>
        client.request('server/discover').catch(() => undefined),
      ),
    },
  },
  {
    title: 'Tools',
    about: 'If a revision does not have a feature, it is left out, or converted to one that the revision has.',
    rows: {
      title: listed('tools/list', 'named', 'title'),
      icons: listed('tools/list', 'named', 'icons'),
      'annotations, such as `readOnly`': listed('tools/list', 'named', 'annotations'),
      'output schema': listed('tools/list', 'named', 'outputSchema'),
      'a [view](../apps.md), to hosts that show views': listed('tools/list', 'shown', '_meta'),
      'structured content': async (client) => yesIf((await client.callTool('named', { value: 1 })).structuredContent),
      'a result that is an array': async (client) => {
        const { structuredContent } = await client.callTool('list');
        if (structuredContent === undefined) return 'text';
        return Array.isArray(structuredContent) ? 'as it is' : 'wrapped: `{ result }`';
      },
      'an audio block': blockOf('sound'),
      'a link to a resource': blockOf('linked'),
      'arguments that are not valid': (client) => failed(client.callTool('named', { value: 'x' })),
    },
  },
  {
    title: 'Resources, prompts, completion',
    about: '',
    rows: {
      'title of a resource': listed('resources/list', 'Fixed', 'title'),
      'title of a prompt': listed('prompts/list', 'greet', 'title'),
      'how long a resource may be cached': async (client) =>
        yesIf((await client.request('resources/read', { uri: 'x://fixed' }))['ttlMs']),
      'how long a list may be cached': async (client) => yesIf((await client.request('tools/list'))['ttlMs']),
      'a resource that does not exist': (client) => failed(client.readResource('y://nowhere')),
      'files of [skills](../skills.md), as resources': async (client) =>
        yesIf((await client.readResource('skill://probed/SKILL.md')).contents[0]),
      '`skills/list` and `skills/get`': async (client) =>
        yesIf(await client.request('skills/list').catch(() => undefined)),
      'completion receives the other arguments': async (client) => {
        const ref = { type: 'ref/resource', uri: 'x://{one}/{two}' };
        const context = { arguments: { one: 'this' } };
        const result = await client.request('completion/complete', {
          ref,
          argument: { name: 'two', value: '' },
          context,
        });
        return yesIf(JSON.stringify(result).includes('this'));
      },
      'completion is a capability': told('"completions":{'),
      'clients subscribe to changes with': (_, { requests }) =>
        requests.has('resources/subscribe') ? '`resources/subscribe`' : '`subscriptions/listen`',
    },
  },
  {
    title: 'Questions to the client',
    about:
      '*asked*: with a request, while the call waits. *asked by a result*: the call ends with the question and is sent again with the answer. If a revision does not have a question, `context.elicit` and similar methods fail as with a client that cannot be asked.',
    rows: {
      'a form: `context.elicit`': asked('form'),
      'a form with a multiple choice': async (client, revision) => {
        const how = await asked('richForm')(client, revision);
        const { colours } = fieldsOf(client.questions.at(-1)?.params);
        return how === '–' || colours?.type === 'array' ? how : `${how}, as ${colours?.type ?? 'nothing'}`;
      },
      'a page: `context.elicitUrl`': asked('page'),
      'the model: `context.sample`': asked('model'),
      'roots: `context.roots`': asked('folders'),
    },
  },
  {
    title: 'While a call runs',
    about: '',
    rows: {
      progress: told('notifications/progress', reports),
      'message of a progress': told('"message":"half of it"', reports),
      'log messages': told('told to the client', reports),
      'the level of the log is set': (_, { requests }) =>
        requests.has('logging/setLevel') ? 'for the connection' : 'with each request',
      'a call becomes a [task](../tasks.md), for clients that know tasks': (client) =>
        client.startTask('lasting').then(
          () => 'yes',
          () => '–',
        ),
    },
  },
  {
    title: 'Over HTTP',
    about: '',
    rows: {
      sessions: (_, { http }) => yesIf(http.sessions),
      'a GET opens a stream': (_, { http }) => yesIf(http.getStream),
      'a broken stream can be resumed': (_, { http }) => yesIf(http.replay),
      'a server may close a stream that can be resumed': (_, { http }) => yesIf(http.polling),
      'the version is in a header': (_, { http }) => yesIf(http.versionHeader),
      'the method is in a header': (_, { http }) => yesIf(http.requiredHeaders.includes('mcp-method')),
      'arguments in headers: `@McpHeader`': (_, { http }) => yesIf(http.mirrorsArguments),
      'closing the connection cancels': (_, { http }) => yesIf(http.disconnectCancels),
    },
  },
];
