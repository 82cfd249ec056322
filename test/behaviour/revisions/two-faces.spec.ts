/** What a handler gets as its context has the words of authors, and none of the kernel's, not even at run time. */
import { Feature, McpContext, Tool, createServer, type Call, type Interceptor } from '@sigil-mcp/core';
import { eachRevision } from './checked';

const WORDS = [
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

/** Every name that a program can reach on an object, symbols included. */
function reachable(object: object): string[] {
  const names = new Set<string>();
  for (let at: object | null = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Reflect.ownKeys(at)) names.add(String(name));
  }
  names.delete('constructor');
  return [...names].sort();
}

@Feature()
class Looking {
  @Tool('Looks at what it was given')
  look(context: McpContext): { names: string[] } {
    return { names: reachable(context) };
  }
}

eachRevision('a handler finds the words of McpContext on its context, and no others', async ({ connect }) => {
  const client = await connect(createServer({ name: 'faces', version: '1.0.0', features: [Looking], logger: false }));
  const result = await client.callTool('look');
  expect(JSON.parse(String((result.content[0] as { text: string }).text))).toEqual({ names: WORDS });
});

eachRevision('handlers, guards and interceptors of a call are given the same context', async ({ connect }) => {
  const seen = new Set<McpContext>();
  const watching: Interceptor = {
    intercept: (call: Call, next) => {
      seen.add(call.context);
      return next();
    },
  };
  @Feature()
  class Adding {
    @Tool('Adds its context to the others')
    add(context: McpContext): void {
      seen.add(context);
    }
  }
  const client = await connect(
    createServer({ name: 'faces', version: '1.0.0', features: [Adding], interceptors: [watching], logger: false }),
  );
  seen.clear();
  await client.callTool('add');
  expect(seen.size).toBe(1);
});
