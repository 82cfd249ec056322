/** Sessions in memory. */
import { systemClock, type Clock } from '@sigil-mcp/base';
import type { Replacement, SessionStore } from './session-store';

interface Kept {
  record: string;
  /** When it ends, in milliseconds of the clock. */
  until: number;
}

/** Keeps sessions in use; expired ones are removed when another session is opened. */
export class MemorySessions implements SessionStore {
  /** In the order of their last use. */
  readonly #sessions = new Map<string, Kept>();

  constructor(private readonly clock: Clock = systemClock) {}

  /** How many are kept. */
  get size(): number {
    return this.#sessions.size;
  }

  open(id: string, record: string, idleTime: number): void {
    this.#forget();
    this.#sessions.set(id, { record, until: this.clock.elapsed() + idleTime });
  }

  use(id: string, idleTime: number): string | undefined {
    const session = this.#find(id);
    if (!session) return undefined;
    session.until = this.clock.elapsed() + idleTime;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.record;
  }

  replace(id: string, read: string, record: string): Replacement {
    const session = this.#find(id);
    if (!session) return 'over';
    if (session.record !== read) return 'changed';
    session.record = record;
    return 'replaced';
  }

  end(id: string): boolean {
    const wasThere = this.#find(id) !== undefined;
    this.#sessions.delete(id);
    return wasThere;
  }

  #find(id: string): Kept | undefined {
    const session = this.#sessions.get(id);
    return session && session.until > this.clock.elapsed() ? session : undefined;
  }

  /** The idle times of one server are mostly the same, so the sessions that were not used for longest expire first. */
  #forget(): void {
    const now = this.clock.elapsed();
    for (const [id, { until }] of this.#sessions) {
      if (until > now) return;
      this.#sessions.delete(id);
    }
  }
}
