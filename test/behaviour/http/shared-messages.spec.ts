/** What instances tell each other, and what is made up for where it is lost. */
import { Feature, McpContext, Tool, type Logger } from '@sigil-mcp/core';
import type { BusListener, MemoryStores, SessionStore, Stores } from '@sigil-mcp/core/stores';
import { request } from './http-server';
import { until } from './raw-request';
import { initialize, serveTwice, type Instances } from './two-instances';

@Feature()
class Desk {
  static reasons: string[] = [];
  static running = 0;

  @Tool('Waits')
  async wait({ signal }: McpContext): Promise<string> {
    Desk.running++;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    Desk.reasons.push((signal.reason as Error).message);
    return 'done';
  }
}

/** What the second instance hears, and whether all that is said to it is lost. */
interface Line {
  listener: BusListener | undefined;
  isCut: boolean;
}

/** The stores as they are, with this line to the bus. */
function through(line: Line, { bus, sessions, streams, rates, close }: MemoryStores): Stores {
  return {
    sessions,
    streams,
    rates,
    close,
    bus: {
      join: (instance, listener) => {
        line.listener = listener;
        return bus.join(instance, {
          message: (text) => (line.isCut ? undefined : listener.message(text)),
          change: (text, position) => listener.change(text, position),
          missed: () => listener.missed(),
        });
      },
      announce: (change) => bus.announce(change),
      send: (instance, message) => bus.send(instance, message),
      broadcast: (message) => bus.broadcast(message),
      isAlive: (instance) => bus.isAlive(instance),
      position: () => bus.position(),
      swap: (name, text) => bus.swap(name, text),
      changesAfter: (position) => bus.changesAfter(position),
    },
  };
}

const VERSION = '2025-11-25';
const tool = (id: number, name: string): object =>
  request(id, 'tools/call', { name, arguments: {}, _meta: { progressToken: 1 } });

let both: Instances;
let line: Line;
const warnings: string[] = [];
const silent = (): void => undefined;
const logger: Logger = {
  debug: silent,
  info: silent,
  error: silent,
  warn: (fields: object, message?: string) => void warnings.push(`${JSON.stringify(fields)} ${message}`),
};

beforeEach(async () => {
  Desk.reasons = [];
  Desk.running = 0;
  warnings.length = 0;
  line = { listener: undefined, isCut: false };
  const definition = { features: [Desk], answerTimeout: 5000, logger };
  both = await serveTwice(definition, {}, (stores) => through(line, stores));
});
afterEach(() => both.close());

it('ends a call of a session that was ended elsewhere while messages were lost, and says how many', async () => {
  const session = await initialize(both.b, VERSION);
  const waiting = both.b.post(tool(1, 'wait'), session);
  const { workers } = both.stores.sessions as SessionStore;
  // The instance has reported its call: it is not told of the end when it does.
  await until(async () => (await workers?.of(session['mcp-session-id']))?.length === 1);
  line.isCut = true;
  await fetch(both.a.url, { method: 'DELETE', headers: session });
  expect(Desk.reasons).toEqual([]);
  line.listener?.lost?.(7);
  expect((await waiting).status).toBe(404);
  expect(Desk.reasons).toEqual(['The client ended the session.']);
  expect(warnings).toContainEqual(expect.stringMatching(/^\{"lost":7\} Messages of other instances were lost/));
});
