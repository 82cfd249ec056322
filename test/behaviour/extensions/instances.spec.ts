/** Notifications of an extension across the instances of a server, which share a real Redis. */
import { connect, type Client } from '@sigil-mcp/client';
import {
  Feature,
  Tool,
  extensionMethod,
  type Extension,
  type ExtensionListenField,
  type JsonObject,
  type NotificationOperation,
  type Operation,
} from '@sigil-mcp/core';
import { redis } from '@sigil-mcp/redis';
import { createClient, type RedisClientType } from '@redis/client';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';
import { as, believing, serve, useAdapter, type OpenServer } from '../http/http-server';
import { until } from '../http/raw-request';
import { readStream, type ReadStream } from '../http/two-instances';

const NEWS = 'com.example/news';

interface Said {
  readonly topic: string;
  readonly text: string;
}
interface Told extends Said {
  /** Whether only the clients of the same user receive it. */
  readonly isOwn?: boolean;
}

const same = (value: object): JsonObject => ({ ...value });
const SAY: Operation<'news/say', Told, object> = {
  method: 'news/say',
  compile: () => ({
    readParams: (params) => params as unknown as Told,
    writeParams: same,
    writeResult: same,
    readResult: (result) => result,
  }),
};
const SAID: NotificationOperation<'notifications/news', Said> = {
  method: 'notifications/news',
  compile: () => ({ readParams: (params) => params as unknown as Said, writeParams: same }),
};
const TOPICS: ExtensionListenField<string[]> = {
  name: 'topics',
  read: (value) => value as string[],
  covers: (wanted, { params }) => wanted.includes((params as Said).topic),
};

const news: Extension = {
  name: NEWS,
  protocol: {
    isForEveryRevision: true,
    methods: [
      extensionMethod(SAY, ({ params: { topic, text, isOwn }, context }, { notify }) => {
        notify(SAID, { topic, text }, { subject: text, ...(isOwn && { principal: context.caller.principal }) });
        return {};
      }),
    ],
    serverNotifications: [SAID],
    listenFields: [TOPICS],
  },
};

@Feature()
class Desk {
  @Tool('Says hello') hello(): string {
    return 'Hello.';
  }
}

const CAPABILITIES = { extensions: { [NEWS]: {} } };

describeWith('redis-server', 'instances that share a Redis', () => {
  let store: RedisServer;
  const opened: RedisClientType[] = [];
  let instances: OpenServer[] = [];
  const clients: Client[] = [];
  const streams: ReadStream[] = [];

  beforeAll(async () => {
    useAdapter('fastify');
    store = await RedisServer.start();
    for (let instance = 0; instance < 2; instance++) opened.push(createClient({ url: store.url }));
    await Promise.all(opened.map((client) => client.connect()));
    const definition = { features: [Desk], extensions: [news], requestState: { secrets: ['x'.repeat(40)] } };
    instances = await Promise.all(
      opened.map((client) => serve({ ...definition, stores: redis({ client }) }, { auth: believing })),
    );
  });
  afterAll(async () => {
    for (const { cut } of streams) cut();
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(instances.map((instance) => instance.close()));
    for (const client of opened) client.destroy();
    await store.kill();
  });

  const open = async (instance: number, user: string, capabilities: object = CAPABILITIES): Promise<Client> => {
    const { url } = instances[instance]!;
    const client = await connect({ url }, { revision: '2026-07-28', capabilities, auth: { token: user } });
    clients.push(client);
    return client;
  };

  it('send it to subscriptions at every instance, whose filter covers it', async () => {
    const heard: string[] = [];
    const bob = await open(1, 'bob');
    bob.on(SAID, ({ topic, text }) => void heard.push(`${topic}: ${text}`));
    await bob.subscribe({ topics: ['sport', 'end'] }, () => undefined);
    const ada = await open(0, 'ada');
    await ada.request(SAY, { topic: 'sport', text: 'one' });
    await ada.request(SAY, { topic: 'weather', text: 'two' });
    await ada.request(SAY, { topic: 'sport', text: 'three', isOwn: true });
    await (await open(0, 'bob')).request(SAY, { topic: 'sport', text: 'four', isOwn: true });
    await ada.request(SAY, { topic: 'end', text: 'five' });
    await until(() => heard.includes('end: five'));
    expect(heard).toEqual(['sport: one', 'sport: four', 'end: five']);
  });

  it('send it to the stream of a session at another instance, and to none that did not declare the extension', async () => {
    const [a, b] = [instances[0]!, instances[1]!];
    const shake = async (capabilities: object): Promise<Record<string, string>> => {
      const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
      const { headers } = await a.post({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, as('bob'));
      return { ...as('bob'), 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    };
    const [session, plain] = [await shake(CAPABILITIES), await shake({})];
    const [listening, deaf] = [await readStream(b, session), await readStream(b, plain)];
    streams.push(listening, deaf);
    const say = (text: string) =>
      a.post({ jsonrpc: '2.0', id: text, method: 'news/say', params: { topic: 'music', text } }, session);
    expect((await say('one')).messages).toMatchObject([{ result: {} }]);
    // A session also hears what was said shortly before it was opened, as by the test before.
    const heard = () => listening.messages.filter(({ params }) => params?.['topic'] === 'music');
    await until(() => heard().length > 0);
    expect(heard()).toMatchObject([{ method: SAID.method, params: { topic: 'music', text: 'one' } }]);
    // A change of a list comes after it, to both.
    instances[0]!.server.registry.disable('tool', 'hello');
    await until(() => deaf.messages.some(({ method }) => method === 'notifications/tools/list_changed'));
    expect(deaf.messages.filter(({ method }) => method === SAID.method)).toEqual([]);
  });
});
