/**
 * Plays what needs no HTTP, in memory: tools, subscriptions, interceptors, tasks, views. Prints the microseconds of CPU of each point as JSON.
 * `node play-memory.mjs '<json: rounds, warmUp>'`
 */
import { createRequire } from 'node:module';
import { INITIALIZE } from '../tokens/requests.mjs';
import { allSeries } from './charts.mjs';
import { loadServers } from './load-servers.mjs';
import { playRounds } from './rounds.mjs';

const { MemoryTransport } = createRequire(import.meta.url)('@sigil-mcp/core');
const { interceptorServer, resourceServer, taskServer, toolServer, viewServer } = loadServers();
/** Requests on their way at a time, and how long a block of them takes at least. */
const IN_FLIGHT = 32;
const BLOCK = 2000;
/** How often each request is sent before any is measured, and how many in all at most: a tool's first calls compile it. */
const FIRST = { each: 300, all: 200_000 };

/** What is thrown while a server writes is its client's end, and nobody would hear of it. */
function giveUp(answer) {
  process.stderr.write(`A request failed: ${answer}\n`);
  process.exit(1);
}

/** One client: sends, and resolves when as much was received. */
class Client {
  constructor(transport) {
    this.received = 0;
    this.pipe = transport.connect((text) => {
      if (/"error":|"isError":true/.test(text.slice(0, 400))) giveUp(text);
      this.received += 1;
      this.last = text;
      if (this.received === this.wanted) this.done();
    });
  }

  static async open(transport) {
    const client = new Client(transport);
    await client.expect(1, () => client.pipe.send(JSON.stringify(INITIALIZE)));
    client.pipe.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return client;
  }

  async expect(count, send) {
    this.wanted = this.received + count;
    const done = new Promise((resolve) => (this.done = resolve));
    send();
    await done;
  }

  /** @returns the answer */
  async ask(method, params) {
    await this.expect(1, () => this.pipe.send(requestOf(1, method, params)));
    return this.last;
  }
}

const TASKS = 'io.modelcontextprotocol/tasks';
/** A client of the newest revision, which says with each request what it can do. */
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, extensions: { [TASKS]: {} } },
};

const requestOf = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const callOf = (name) => ['tools/call', { name, arguments: { city: 'Oslo', days: 3 } }];

async function listen(server) {
  const transport = new MemoryTransport();
  await server.listen(transport);
  return transport;
}

/** A point whose requests are sent in turns. */
async function pointOf(key, client, requests) {
  // What is on its way at the same time has ids of its own.
  const texts = Array.from({ length: Math.max(requests.length, IN_FLIGHT) }, (_, index) =>
    requestOf(index, ...requests[index % requests.length]),
  );
  let next = 0;
  const send = (count) =>
    client.expect(count, () => {
      for (let sent = 0; sent < count; sent += 1) client.pipe.send(texts[(next = (next + 1) % texts.length)]);
    });
  const first = Math.min(FIRST.all, texts.length * FIRST.each);
  for (let sent = 0; sent < first; sent += IN_FLIGHT) await send(IN_FLIGHT);
  return timed(key, send);
}

/** A point: as many times as take long enough to be measured. */
function timed(key, play) {
  let blocks = 1;
  return {
    key,
    async play() {
      const before = process.cpuUsage();
      for (let block = 0; block < blocks; block += 1) await play(IN_FLIGHT);
      const { user, system } = process.cpuUsage(before);
      const cost = (user + system) / (blocks * IN_FLIGHT);
      blocks = Math.max(1, Math.ceil(BLOCK / (cost * IN_FLIGHT)));
      return cost;
    },
  };
}

const MAKERS = {
  async tools(count, key) {
    const client = await Client.open(await listen(toolServer(count)));
    return [
      await pointOf(key('call'), client, [callOf(`tool${count - 1}`)]),
      await pointOf(
        key('turns'),
        client,
        Array.from({ length: count }, (_, index) => callOf(`tool${(index * 7919) % count}`)),
      ),
    ];
  },
  async subscriptions(count, key) {
    const [one, shared] = [resourceServer(), resourceServer()];
    const uris = Array.from({ length: count }, (_, index) => `item://${index}`);
    const client = await Client.open(await listen(one));
    for (const uri of uris) await client.ask('resources/subscribe', { uri });
    const call = await pointOf(key('call'), client, [callOf('tool0')]);
    if (count === 0) return [call];
    const others = await listen(shared);
    const listeners = [];
    for (const uri of uris) {
      listeners.push(await Client.open(others));
      await listeners.at(-1).ask('resources/subscribe', { uri });
    }
    return [
      call,
      announcing(key('change'), one, client, uris.at(-1)),
      announcing(key('shared'), shared, listeners.at(-1), uris.at(-1)),
    ];
  },
  async interceptors(count, key) {
    const around = async (what) => {
      const client = await Client.open(await listen(interceptorServer(what, count)));
      return pointOf(key(what), client, [callOf('tool0')]);
    };
    return count === 0 ? [await around('tool')] : [await around('tool'), await around('server')];
  },
  async tasks(count, key) {
    const client = new Client(await listen(taskServer()));
    const newest = ([method, params]) => [method, { ...params, _meta: META }];
    const approve = newest(['tools/call', { name: 'approve', arguments: {} }]);
    const ids = [];
    while (ids.length < count) ids.push(JSON.parse(await client.ask(...approve)).result.taskId);
    return [
      await pointOf(key('call'), client, [newest(callOf('tool0'))]),
      await pointOf(
        key('get'),
        client,
        ids.map((taskId) => newest(['tasks/get', { taskId }])),
      ),
    ];
  },
  async views(count, key) {
    const client = await Client.open(await listen(viewServer(count)));
    return [
      await pointOf(key('call'), client, [['tools/call', { name: `tool${count - 1}`, arguments: {} }]]),
      await pointOf(key('read'), client, [['resources/read', { uri: `ui://bench/${count - 1}` }]]),
    ];
  },
};

function announcing(key, server, client, uri) {
  return timed(key, (count) =>
    client.expect(count, () => {
      for (let told = 0; told < count; told += 1) server.notifyResourceChanged(uri);
    }),
  );
}

const points = [];
for (const [name, make] of Object.entries(MAKERS)) {
  const { chart } = allSeries().find((series) => series.chart.name === name);
  for (const x of chart.points) points.push(...(await make(x, (series) => `${name} ${series} ${x}`)));
}
process.stdout.write(JSON.stringify(await playRounds(points, JSON.parse(process.argv[2] ?? '{}'))));
process.exit();
