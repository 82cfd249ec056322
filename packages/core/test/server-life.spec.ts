/** Starting and stopping are whole: whatever was started is stopped, in order, whenever `close` is called and whatever fails. */
import fc from 'fast-check';
import { createServer, type SigilError, type Transport } from '../src';
import type { TransportHost } from '../src/transports/transport';
import { runs } from '../../../test/support/matrix';

type Schedule = (label: string) => Promise<void>;

/** What happened, in order. */
type Life = string[];

/** Two providers, of which the second needs the first. */
function providersOf(life: Life, wait: Schedule, failing: string | undefined) {
  const step = async (name: string): Promise<void> => {
    await wait(name);
    if (failing === name) throw new Error(`${name} failed`);
    life.push(name);
  };
  class First {
    onStart(): Promise<void> {
      return step('first starts');
    }
    onStop(): Promise<void> {
      return step('first stops');
    }
  }
  class Second {
    constructor(readonly first: First) {}
    onStart(): Promise<void> {
      return step('second starts');
    }
    onStop(): Promise<void> {
      return step('second stops');
    }
  }
  return [First, { provide: Second, inject: [First], useFactory: (first: First) => new Second(first) }] as const;
}

/** A transport that takes its time, and counts. */
class SlowTransport implements Transport {
  isOpen = false;
  wasOpened = false;

  constructor(
    private readonly name: string,
    private readonly wait: Schedule,
    private readonly failing: string | undefined,
  ) {}

  async open(_host: TransportHost): Promise<void> {
    await this.wait(`${this.name} opens`);
    this.isOpen = this.wasOpened = true;
  }

  async close(): Promise<void> {
    await this.wait(`${this.name} closes`);
    this.isOpen = false;
    if (this.failing === `${this.name} closes`) throw new Error(`${this.name} failed to close`);
  }
}

const FAILURES = ['a closes', 'b closes', 'first starts', 'second starts', 'first stops', 'second stops'];

it('after close nothing is open and everything that was started has stopped, whatever the order and whatever failed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.option(fc.constantFrom(...FAILURES)), async (scheduler, failure) => {
      const failing = failure ?? undefined;
      const life: Life = [];
      const wait: Schedule = (label) => scheduler.schedule(Promise.resolve(), label);
      const server = createServer({
        name: 'mortal',
        version: '1.0.0',
        providers: providersOf(life, wait, failing),
        logger: false,
      });
      const transports = [new SlowTransport('a', wait, failing), new SlowTransport('b', wait, failing)];
      const outcomes: string[] = [];
      const note = (what: string, promise: Promise<void>): Promise<void> =>
        promise.then(
          () => void outcomes.push(what),
          (error: unknown) => void outcomes.push(`${what}: ${(error as SigilError).code ?? String(error)}`),
        );
      const ends: Promise<void>[] = [];
      const { task } = scheduler.scheduleSequence([
        ...transports.map((transport) => async () => {
          ends.push(note('listen', server.listen(transport)));
          await Promise.resolve();
        }),
        async () => {
          const closed = note('close', server.close());
          ends.push(closed.then(() => void life.push('closed')));
          await Promise.resolve();
        },
      ]);
      await scheduler.waitFor(task);
      await scheduler.waitFor(Promise.all(ends));
      expect(transports.map(({ isOpen }) => isOpen)).toEqual([false, false]);
      // Nothing happens after the end, and what started stops in the order of its dependence.
      const started = life.filter((event) => event.endsWith('starts')).map((event) => event.split(' ')[0]);
      const stopped = life.filter((event) => event.endsWith('stops')).map((event) => event.split(' ')[0]);
      const stops = started.reverse().filter((name) => failing !== `${name} stops`);
      expect(stopped).toEqual(stops);
      expect(life.at(-1)).toBe('closed');
      // Who could not be served was told so.
      const served = outcomes.filter((outcome) => outcome === 'listen').length;
      expect(served).toBeLessThanOrEqual(transports.filter(({ wasOpened }) => wasOpened).length);
    }),
    { numRuns: runs(300) },
  );
});

describe('closing', () => {
  const atOnce: Schedule = () => Promise.resolve();

  it('while the server starts waits for what is being started, opens no transport, and says so to listen', async () => {
    const life: Life = [];
    let goOn = (): void => undefined;
    const first = new Promise<void>((resolve) => (goOn = resolve));
    const wait: Schedule = (label) => (label === 'first starts' ? first : Promise.resolve());
    const server = createServer({
      name: 'm',
      version: '1.0.0',
      providers: providersOf(life, wait, undefined),
      logger: false,
    });
    const transport = new SlowTransport('a', atOnce, undefined);
    const listening = server.listen(transport).catch((error: unknown) => (error as SigilError).code);
    await new Promise(setImmediate);
    const closing = server.close();
    goOn();
    await closing;
    expect(await listening).toBe('SIGIL_SERVER_CLOSED');
    expect(transport.wasOpened).toBe(false);
    expect(life.filter((event) => event.endsWith('stops')).length).toBe(
      life.filter((event) => event.endsWith('starts')).length,
    );
  });

  it('goes on after a transport that fails, stops all providers, and then says what failed', async () => {
    const life: Life = [];
    const server = createServer({
      name: 'm',
      version: '1.0.0',
      providers: providersOf(life, atOnce, undefined),
      logger: false,
    });
    await server.listen(new SlowTransport('a', atOnce, 'a closes'));
    await expect(server.close()).rejects.toThrow('a failed to close');
    expect(life).toEqual(['first starts', 'second starts', 'second stops', 'first stops']);
  });

  it('collects what failed, where that is more than one thing', async () => {
    const server = createServer({
      name: 'm',
      version: '1.0.0',
      providers: providersOf([], atOnce, 'first stops'),
      logger: false,
    });
    await server.listen(new SlowTransport('a', atOnce, 'a closes'));
    await expect(server.close()).rejects.toMatchObject({
      code: 'SIGIL_NOT_CLOSED',
      cause: { errors: [{ message: 'a failed to close' }, { code: 'SIGIL_STOP_HOOKS' }] },
    });
  });

  it('a start that fails stops what was started before the failure', async () => {
    const life: Life = [];
    const server = createServer({
      name: 'm',
      version: '1.0.0',
      providers: providersOf(life, atOnce, 'second starts'),
      logger: false,
    });
    await expect(server.listen(new SlowTransport('a', atOnce, undefined))).rejects.toThrow('second starts failed');
    expect(life).toEqual(['first starts', 'first stops']);
    await server.close();
    expect(life).toEqual(['first starts', 'first stops']);
  });
});
