/** The stores of a server whose commands are observed. */
import { isPromise, type Clock } from '@sigil-mcp/base';
import type { StoreCommand } from '../context/observer';
import type { Stores } from '../stores/stores';
import type { Observers } from './observers';

const PORTS = ['sessions', 'streams', 'bus', 'rates'] as const satisfies readonly StoreCommand['store'][];

/** The same stores; each command is reported when it is done. */
export function observedStores(stores: Stores, observers: Observers, clock: Clock): Stores {
  const ports = PORTS.map((name) => [name, observedPort(name, stores[name], { observers, clock })] as const);
  // Each port has the methods of the one that it stands for.
  return within(stores, Object.fromEntries(ports));
}

interface WatchContext {
  readonly observers: Observers;
  readonly clock: Clock;
}

function observedPort<T extends object>(store: StoreCommand['store'], port: T, watch: WatchContext): T {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      return (...args: unknown[]): unknown =>
        observe({ store, command: name }, () => call(member, target, args), watch);
    },
  });
}

function call(method: unknown, target: object, args: unknown[]): unknown {
  // Only functions are called.
  return Reflect.apply(method as (...args: unknown[]) => unknown, target, args);
}

function observe(
  name: Pick<StoreCommand, 'store' | 'command'>,
  run: () => unknown,
  { observers, clock }: WatchContext,
): unknown {
  const since = clock.elapsed();
  const report = (error?: unknown): void => observers.stored({ ...name, duration: clock.elapsed() - since, error });
  try {
    const result = run();
    if (!isPromise(result)) report();
    else result.then(() => report(), report);
    return result;
  } catch (error) {
    report(error);
    throw error;
  }
}

/** Other members stay those of the stores, which may be an instance of a class. */
function within<T extends object>(stores: T, replaced: Readonly<Record<string, unknown>>): T {
  return new Proxy(stores, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(replaced, name)) return replaced[name];
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (...args: unknown[]) => call(member, target, args) : member;
    },
  });
}
