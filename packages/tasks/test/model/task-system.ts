/** Two processes with one store, to which the events of the model happen. */
import { isEnded, type TaskState } from '../../src/record/task-state';
import { detailsOf } from '../../src/record/task-view';
import * as transitions from '../../src/record/transitions';
import { TaskBoard, type TaskStep } from '../../src/board';
import type { StoredTask, TaskStore } from '@sigil-mcp/tasks';
import { ManualClock } from '@sigil-mcp/testing';
import { LEASE, MOST, WORKERS, type Event, type Rights, type Worker, type WorkEvent } from './task-model';

const ROOM = { tasks: MOST, tasksPerHolder: 100, bytesPerHolder: Infinity, bytes: Infinity };
const HOLDER = 'h';

export function idOf(task: number): string {
  return `${task}`.padStart(22, '0');
}

/** A task, as one process finds it in the store. */
export interface Found {
  readonly stored: StoredTask;
  readonly state: TaskState;
}

/** The two processes. */
export class TaskSystem {
  readonly clock = new ManualClock();
  readonly #boards: Readonly<Record<Worker, TaskBoard>>;
  /** The fences of each worker, by task and worker. */
  readonly #fences: Record<string, number[]> = {};

  constructor(private readonly stores: Readonly<Record<Worker, TaskStore>>) {
    const board = (store: TaskStore): TaskBoard =>
      new TaskBoard({
        ...{ store, room: ROOM, time: this.clock, sealer: undefined },
        ...{ changed: () => undefined, unreadable: () => undefined },
      });
    this.#boards = { one: board(stores.one), two: board(stores.two) };
  }

  /** Lets something happen. Requests of clients arrive at the process that is named `by`. */
  async happen(event: Event, by: Worker): Promise<unknown> {
    switch (event.kind) {
      case 'create':
        return (await this.#boards[by].create(this.#newTask(event))) === undefined ? 'created' : 'no room';
      case 'time':
        return this.clock.setDate(this.clock.now() + event.passes);
      case 'look':
        return this.#look(event.worker);
      case 'attend':
        return this.#attend(event.task, event.worker);
      case 'answer':
        return this.#change(by, event.task, (state, now) =>
          transitions.answer(
            state,
            Object.fromEntries(event.keys.map((key) => [key, { key }])),
            callerOf(event.rights),
            now,
          ),
        );
      case 'cancel':
        return this.#change(by, event.task, transitions.cancel);
      case 'get':
        return this.#get(by, event.task);
      default: {
        const fence = this.#fenceOf(event);
        return this.#change(event.worker, event.task, (state, now) => stepOf(event, fence)(state, now));
      }
    }
  }

  /** A task, as a process finds it. */
  async find(task: number, by: Worker): Promise<Found | undefined> {
    const stored = await this.stores[by].read(idOf(task));
    return stored && { stored, state: JSON.parse(stored.text) as TaskState };
  }

  /** What the store counts, as a process asks it. */
  async count(by: Worker): Promise<object[]> {
    const [all, held] = [await this.stores[by].count(), await this.stores[by].count(HOLDER)];
    return [{ ...all }, { ...held }];
  }

  /** The fences that may write to a task: of all that any worker ever had. */
  writersOf(task: number, state: TaskState): number[] {
    const fences = WORKERS.flatMap((worker) => this.#fences[`${task} ${worker}`] ?? []);
    return fences.filter((fence) => transitions.keep(state, fence, 'probe', {}) !== undefined);
  }

  async close(): Promise<void> {
    for (const store of new Set(Object.values(this.stores))) await store.close?.();
  }

  async #look(worker: Worker): Promise<Record<string, unknown>> {
    const outcomes: Record<string, unknown> = {};
    for (const id of await this.#boards[worker].due(10)) outcomes[Number(id)] = await this.#attend(Number(id), worker);
    return outcomes;
  }

  /** As `TaskWorker` does it. */
  async #attend(task: number, worker: Worker): Promise<string> {
    const next = await this.#boards[worker].attend(
      idOf(task),
      (state, now) => transitions.pass(state, now) ?? transitions.claim(state, worker, LEASE, now),
    );
    if (!next) return 'nothing';
    if (isEnded(next)) return 'ended';
    (this.#fences[`${task} ${worker}`] ??= []).push(next.fence);
    return 'claimed';
  }

  /** What a client sees of a task. */
  async #get(by: Worker, task: number): Promise<object | undefined> {
    const state = await this.#boards[by].read(idOf(task));
    if (!state) return undefined;
    const { status, inputRequests = {} } = detailsOf(state, this.clock.now());
    return { status, questions: Object.keys(inputRequests).sort() };
  }

  async #change(by: Worker, task: number, step: TaskStep): Promise<boolean> {
    return (await this.#boards[by].change(idOf(task), step)) !== undefined;
  }

  #fenceOf({ task, worker, age }: WorkEvent): number {
    const own = this.#fences[`${task} ${worker}`] ?? [];
    return (age === 'latest' ? own.at(-1) : own[0]) ?? -1;
  }

  #newTask({ task, ttl, retries }: Event & { kind: 'create' }): TaskState {
    const memory = { callId: 'call', answers: {}, kept: {} };
    const caller = callerOf('few');
    const call = { revision: '2026-07-28', method: 'tools/call', params: {}, meta: {}, caller, memory } as const;
    const rest = { tool: 'tool', owner: null, holder: HOLDER, pollInterval: 1000 };
    return transitions.newTask({ ...rest, id: idOf(task), call, ttl, retries }, this.clock.now());
  }
}

function callerOf(rights: Rights) {
  return { id: 'someone', kind: 'user', scopes: rights === 'few' ? ['read'] : ['read', 'write'], roles: [] } as const;
}

function stepOf({ kind, word }: WorkEvent, fence: number): TaskStep {
  const error = { code: -32_000, message: 'refused' };
  const question = { key: word, digest: word, label: word, request: { method: 'elicitation/create', params: {} } };
  const steps: Record<WorkEvent['kind'], TaskStep> = {
    renew: (state, now) => transitions.renew(state, fence, LEASE, now),
    resume: (state, now) => transitions.resume(state, fence, LEASE, now),
    release: (state, now) => transitions.release(state, fence, now),
    interrupt: (state, now) => transitions.interrupt(state, fence, now),
    complete: (state, now) => transitions.complete(state, fence, {}, now),
    refuse: (state, now) => transitions.refuse(state, fence, error, now),
    ask: (state, now) => transitions.ask(state, fence, question, now),
    keep: (state) => transitions.keep(state, fence, word, { value: word }),
    report: (state, now) => transitions.report(state, fence, word, now),
  };
  return steps[kind];
}
