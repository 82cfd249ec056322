/** What guards and interceptors can reach of a call while it runs: what the types say, and nothing that drives it. */
import {
  Feature,
  McpContext,
  Tool,
  createServer,
  type Access,
  type Call,
  type EntryFacts,
  type Extension,
  type Guard,
  type Interceptor,
} from '../src';
import { connect } from '@sigil-mcp/testing';

/** The properties of an object and of its classes, without those of every object. */
function reachable(value: object): string[] {
  const names = new Set<string>();
  for (let each: object | null = value; each && each !== Object.prototype; each = Object.getPrototypeOf(each) as object)
    for (const name of Reflect.ownKeys(each)) names.add(String(name));
  names.delete('constructor');
  return [...names].sort();
}

const CALL = [
  'address',
  'alias',
  'arguments',
  'clock',
  'context',
  'entry',
  'input',
  'isBackground',
  'method',
  'rates',
  'round',
  'session',
];
const CONTEXT = [
  'caller',
  'client',
  'completion',
  'elicit',
  'elicitUrl',
  'get',
  'headers',
  'log',
  'once',
  'onceId',
  'progress',
  'releaseStream',
  'request',
  'roots',
  'sample',
  'signal',
];

const seen = new Map<string, object>();
const spy = (place: string, call: Call): void => {
  seen.set(place, call);
  seen.set(`${place}, context`, call.context);
  seen.set(`${place}, session`, call.session ?? {});
  if (call.entry) seen.set(`entry of a ${place}`, call.entry);
};

class Watching implements Guard {
  allows(access: Access, entry: EntryFacts): boolean {
    seen.set('access', access);
    seen.set(seen.has('handler') ? 'entry of a guard of a list' : 'entry of a guard of a call', entry);
    return true;
  }

  allowsCall(call: Call): boolean {
    spy('guard', call);
    return true;
  }
}

class Around implements Interceptor {
  constructor(private readonly place: string) {}

  intercept(call: Call, next: () => Promise<unknown>): Promise<unknown> {
    spy(this.place, call);
    return next();
  }
}

@Feature()
class Shop {
  @Tool('Sells') sell(context: McpContext): string {
    seen.set('handler', context);
    return 'sold';
  }
}

const extension: Extension = {
  name: 'com.example/faces',
  protocol: {
    capabilities(entries) {
      seen.set('view of an extension', entries);
      for (const entry of entries.entries('tool')) seen.set('entry of an extension', entry);
      seen.set('entry that an extension finds', entries.find('tool', 'sell') ?? {});
      return {};
    },
  },
  stage: (entry) => void seen.set('entry of a stage', entry),
};

beforeAll(async () => {
  const server = createServer({
    name: 'faces',
    version: '1.0.0',
    logger: false,
    features: [Shop],
    guards: [new Watching()],
    interceptors: [new Around('server interceptor')],
    extensions: [extension],
  });
  const client = await connect(server);
  await client.callTool('sell');
  await client.request('tools/list');
  await server.close();
});

it.each(['guard', 'server interceptor'])('shows a %s the call, and nothing that drives it', (place) => {
  expect(reachable(seen.get(place)!)).toEqual(CALL);
  for (const driving of ['abort', 'end', 'release', 'retry', 'settleQuestions', 'detach', 'conversation', 'exchange'])
    expect(seen.get(place)).not.toHaveProperty(driving);
});

it.each(['access', 'handler', 'guard, context', 'server interceptor, context'])(
  'shows the same context: %s',
  (place) => {
    expect(reachable(seen.get(place)!)).toEqual(CONTEXT);
  },
);

it.each(['guard, session', 'server interceptor, session'])('shows a session without its requests: %s', (place) => {
  expect(reachable(seen.get(place)!)).toEqual([]);
  expect(Object.isFrozen(seen.get(place))).toBe(true);
  expect(seen.get(place)).toBe(seen.get('guard, session'));
});

it.each([
  'entry of a guard',
  'entry of a guard of a call',
  'entry of a guard of a list',
  'entry of a server interceptor',
  'entry of a stage',
  'entry of an extension',
  'entry that an extension finds',
])('shows the facts about an entry, and nothing that calls it: %s', (place) => {
  expect(reachable(seen.get(place)!)).toEqual(['definition', 'facts', 'key', 'kind', 'policy', 'shapes', 'source']);
  const { shapes } = seen.get(place) as EntryFacts;
  expect(reachable(shapes)).toEqual(['input', 'output']);
  if (shapes.input) expect(reachable(shapes.input)).toEqual(['schema', 'sensitive']);
  expect(Object.isFrozen(seen.get(place))).toBe(true);
  expect(seen.get(place)).toBe(seen.get('entry of a guard'));
});

it('shows an extension the entries, and nothing that changes them', () => {
  expect(reachable(seen.get('view of an extension')!)).toEqual(['all', 'entries', 'find']);
});
