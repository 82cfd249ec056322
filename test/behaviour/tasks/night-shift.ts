/** Instances of one server with a store, whose tasks end when a test says so. */
import { createServer, Feature, Tool, type Clock, type Server, type ServerOptions } from '@sigil-mcp/core';
import { tasks, type TasksOptions } from '@sigil-mcp/tasks';
import { connect, type TestCaller, type TestClient } from '@sigil-mcp/testing';
import { Bread } from './bakery/bakery';
import { CAPABILITIES, WITH_TASKS } from './task-client';

/** What all instances of a test have done. */
export class NightShift {
  /** The names of tasks, in the order in which their handlers began. */
  began: string[] = [];
  /** Whether handlers that begin now end at once. */
  #isOver = false;
  readonly #gates = new Map<string, () => void>();
  readonly #open: { close(): Promise<void> }[] = [];

  /** Starts an instance. @param isNew whether it has a tool that others do not have */
  async instance(options: TasksOptions, more: Partial<ServerOptions> = {}, isNew = false): Promise<NightInstance> {
    const shift = this.began;
    const hold = (name: string): Promise<void> => this.#hold(name);

    @Feature()
    class Bakery {
      @Tool('Bakes until it is let go', { task: { retry: 'never' } })
      async bake({ name }: Bread): Promise<string> {
        shift.push(name);
        await hold(name);
        return `baked ${name}`;
      }

      @Tool('May be done again', { task: { retry: 2 } })
      again(bread: Bread): Promise<string> {
        return this.bake(bread);
      }
    }

    @Feature()
    class NewBakery {
      @Tool('Came with the new version', { task: { retry: 2 } })
      fresh({ name }: Bread): string {
        shift.push(name);
        return `baked ${name}`;
      }
    }
    const server = createServer({
      name: 'bakery',
      version: '1.0.0',
      logger: false,
      shutdownDeadline: 1,
      features: isNew ? [Bakery, NewBakery] : [Bakery],
      extensions: [tasks({ ...options, limits: { tasksPerClient: 1000, ...options.limits } })],
      requestState: { secrets: ['a secret that all instances of this server share'] },
      ...more,
    });
    const instance = new NightInstance(server);
    this.#open.push(instance);
    // It starts with its first client.
    await instance.meet();
    return instance;
  }

  /** Lets a task end, and those of the same name later. */
  letGo(name: string): void {
    const gate = this.#gates.get(name);
    this.#gates.set(name, () => undefined);
    gate?.();
  }

  /** Lets all tasks end, and forgets what was done. */
  async close(): Promise<void> {
    this.#isOver = true;
    for (const name of this.#gates.keys()) this.letGo(name);
    await Promise.all(this.#open.splice(0).map((each) => each.close()));
    this.#gates.clear();
    this.began = [];
    this.#isOver = false;
  }

  #hold(name: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver || this.#gates.has(name)) resolve();
      else this.#gates.set(name, resolve);
    });
  }
}

/** One of them. */
export class NightInstance {
  readonly #clients: TestClient[] = [];

  constructor(readonly server: Server) {}

  async meet(as?: TestCaller): Promise<TestClient> {
    const client = await connect(this.server, { revision: WITH_TASKS, capabilities: CAPABILITIES, ...(as && { as }) });
    this.#clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.server.close();
  }
}

/** A machine whose date is wrong. @param ahead milliseconds, of now */
export function wrongDate(clock: Clock, ahead: () => number): Clock {
  return {
    now: () => clock.now() + ahead(),
    elapsed: () => clock.elapsed(),
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
    every: (milliseconds, callback) => clock.every(milliseconds, callback),
  };
}
