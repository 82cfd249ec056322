/** The instances that work for sessions, in memory: as a store of several processes knows them. */
import { systemClock, type Clock } from '@sigil-mcp/core/adapter';
import type { MemoryStores, SessionState, SessionWorkers } from '@sigil-mcp/core/stores';

/** No record. */
const NOTHING = '\u0000';

/** Adds to stores in memory what makes their servers notify only the instances that work for a session. */
export function withWorkers(stores: MemoryStores, clock: Clock = systemClock): MemoryStores {
  const { sessions } = stores;
  const records = new Map<string, string>();
  const [open, replace] = [sessions.open.bind(sessions), sessions.replace.bind(sessions)];
  // Reading a session from the store would restart its idle time.
  const read = (id: string): string | undefined =>
    replace(id, NOTHING, NOTHING) === 'over' ? undefined : records.get(id);
  Object.assign(sessions, {
    workers: new MemoryWorkers(read, clock),
    open: (id: string, record: string, idleTime: number) => {
      records.set(id, record);
      open(id, record, idleTime);
    },
    replace: (id: string, known: string, record: string) => {
      const outcome = replace(id, known, record);
      if (outcome === 'replaced') records.set(id, record);
      return outcome;
    },
  });
  return stores;
}

class MemoryWorkers implements SessionWorkers {
  readonly #until = new Map<string, Map<string, number>>();
  readonly #notes = new Map<string, { readonly text: string; readonly until: number }[]>();

  constructor(
    private readonly read: (id: string) => string | undefined,
    private readonly clock: Clock,
  ) {}

  join(session: string, instance: string, keepFor: number): SessionState {
    const record = this.read(session);
    if (record === undefined) return { record, notes: [] };
    const workers = this.#until.get(session) ?? new Map<string, number>();
    this.#until.set(session, workers.set(instance, this.clock.elapsed() + keepFor));
    const notes = this.#notes.get(session) ?? [];
    return { record, notes: notes.filter(({ until }) => until > this.clock.elapsed()).map(({ text }) => text) };
  }

  leave(session: string, instance: string): void {
    this.#until.get(session)?.delete(instance);
  }

  of(session: string): readonly string[] {
    const now = this.clock.elapsed();
    return [...(this.#until.get(session) ?? [])].flatMap(([instance, until]) => (until > now ? [instance] : []));
  }

  note(session: string, text: string, keepFor: number): readonly string[] {
    const note = { text, until: this.clock.elapsed() + keepFor };
    this.#notes.set(session, [...(this.#notes.get(session) ?? []), note]);
    return this.of(session);
  }
}
