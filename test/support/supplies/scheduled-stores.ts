/**
 * What instances share, in an order that a property test permutes: each command reaches the store when the scheduler lets it, and so does
 * each answer; what an instance is told it hears later, too. Nothing overtakes what the port of the stores says is in order.
 */
import type fc from 'fast-check';
import { StoreAway, type BusListener, type MaybePromise, type Stores } from '@sigil-mcp/core/stores';

/** Stores whose commands wait. */
export interface ScheduledStores {
  readonly stores: Stores;
  /** While false everything is done at once: to set up what the property is about, and to look at it. */
  isOn: boolean;
  /** Commands by name, such as `sessions.replace`, that the store refuses from now on, each as often as it stands here. */
  readonly refused: string[];
}

/** Lets a scheduler decide when an instance and its store hear each other. */
export function scheduledStores(stores: Stores, scheduler: fc.Scheduler, instance: string): ScheduledStores {
  const all = { isOn: false, refused: [] as string[] };
  const later = <T>(command: string, run: () => MaybePromise<T>): MaybePromise<T> => {
    if (!all.isOn) return run();
    const label = `${instance}: ${command}`;
    return scheduler
      .schedule(Promise.resolve(), label)
      .then(() => {
        const refusal = all.refused.indexOf(command);
        if (refusal < 0) return run();
        all.refused.splice(refusal, 1);
        throw new StoreAway(new Error('refused by the test'));
      })
      .then(
        (value) => scheduler.schedule(Promise.resolve(value), `${label}, answered`),
        async (error: unknown) => {
          await scheduler.schedule(Promise.resolve(), `${label}, refused`);
          throw error;
        },
      );
  };
  const { sessions, streams, bus, rates } = stores;
  return Object.assign(all, {
    stores: {
      sessions: {
        open: (...words) => later('sessions.open', () => sessions.open(...words)),
        use: (...words) => later('sessions.use', () => sessions.use(...words)),
        replace: (...words) => later('sessions.replace', () => sessions.replace(...words)),
        end: (...words) => later('sessions.end', () => sessions.end(...words)),
      },
      streams: {
        open: (...words) => later('streams.open', () => streams.open(...words)),
        append: (...words) => later('streams.append', () => streams.append(...words)),
        end: (...words) => later('streams.end', () => streams.end(...words)),
        read: (...words) => later('streams.read', () => streams.read(...words)),
        follow: (...words) => later('streams.follow', () => streams.follow(...words)),
        forget: (...words) => later('streams.forget', () => streams.forget(...words)),
      },
      bus: {
        join: (id, listener) =>
          bus.join(
            id,
            inOrder(listener, (label, hear) => later(label, hear)),
          ),
        announce: (...words) => later('bus.announce', () => bus.announce(...words)),
        send: (...words) => later('bus.send', () => bus.send(...words)),
        broadcast: (...words) => later('bus.broadcast', () => bus.broadcast(...words)),
        isAlive: (...words) => later('bus.isAlive', () => bus.isAlive(...words)),
        swap: (...words) => later('bus.swap', () => bus.swap(...words)),
        position: () => later('bus.position', () => bus.position()),
        changesAfter: (...words) => later('bus.changesAfter', () => bus.changesAfter(...words)),
      },
      rates,
      close: () => undefined,
    } satisfies Stores,
  });
}

/** Messages are heard in their order, and changes in theirs. */
function inOrder(listener: BusListener, later: (label: string, hear: () => void) => MaybePromise<void>): BusListener {
  const queue = (label: string): ((hear: () => void) => void) => {
    const waiting: (() => void)[] = [];
    return (hear) => {
      waiting.push(hear);
      void later(label, () => waiting.shift()?.());
    };
  };
  const [messages, changes] = [queue('hears a message'), queue('hears a change')];
  return {
    message: (text) => messages(() => listener.message(text)),
    change: (text, position) => changes(() => listener.change(text, position)),
    missed: () => listener.missed(),
  };
}
