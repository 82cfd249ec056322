/** How a client follows a task: what it polls, asks and answers, whatever the order in which the server's words arrive. */
import { RpcError, type Task } from '@sigil-mcp/client';
import { followTask, readTask, type FollowOptions, type TaskLine, type Watch } from '@sigil-mcp/client/internal';
import type { JsonObject } from '@sigil-mcp/protocol';
import { ManualClock } from '@sigil-mcp/testing';
import fc from 'fast-check';
import { runs } from '../../../test/support/matrix';
import { turn } from '../../../test/support/turn';

const clock = new ManualClock();
const task = (more: JsonObject = {}): Task =>
  readTask({ taskId: 't', status: 'working', createdAt: 'then', lastUpdatedAt: 'now', ttlMs: null, ...more });

/** A server whose answers to polls are given, in order. */
function scripted(answers: (Task | Error)[], more: Partial<TaskLine> = {}): TaskLine & { polls: number[] } {
  const polls: number[] = [];
  return {
    polls,
    get: async () => {
      polls.push(clock.elapsed());
      const next = answers.length > 1 ? answers.shift() : answers[0];
      if (!next || next instanceof Error) throw next ?? new Error('nothing');
      return next;
    },
    update: async () => ({}),
    watch: async () => undefined,
    isFinal: (error) => error instanceof RpcError,
    ...more,
  };
}

const options = (more: Partial<FollowOptions> = {}): FollowOptions => ({
  answer: () => ({ action: 'decline' }),
  onTask: () => undefined,
  signal: new AbortController().signal,
  clock,
  ...more,
});

/** Time passes in small steps, as long as there is something to wait for. */
async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 50) {
    await clock.advance(50);
    await turn();
  }
}

const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, index) => time - (times[index] ?? 0));

it('polls as often as the server wants, which may change, and never more often than 5 times a second', async () => {
  const hurried = task({ pollIntervalMs: 1 });
  const line = scripted([
    hurried,
    hurried,
    task({ pollIntervalMs: 700 }),
    task(),
    task({ status: 'completed', result: {} }),
  ]);
  const following = followTask(hurried, line, options());
  await pass(4000);
  expect((await following).status).toBe('completed');
  expect(gaps(line.polls)).toEqual([200, 200, 700, 1000]);
});

it('asks a question once, however often it is reported, and sends each answer when it is there', async () => {
  const asking = task({
    status: 'input_required',
    pollIntervalMs: 200,
    inputRequests: { a: { method: 'roots/list' }, b: { method: 'roots/list' } },
  });
  const asked: (string | undefined)[] = [];
  const updates: JsonObject[] = [];
  let finish: () => void = () => undefined;
  const line = scripted([asking], { update: async (_id, responses) => updates.push(responses) });
  const answer: FollowOptions['answer'] = async ({ key }) => {
    asked.push(key);
    if (key === 'b') await new Promise<void>((resolve) => (finish = resolve));
    return { key: key ?? '' };
  };
  const stop = new AbortController();
  const following = followTask(asking, line, options({ answer, signal: stop.signal }));
  following.catch(() => undefined);
  await pass(1000);
  expect(asked).toEqual(['a', 'b']);
  expect(updates).toEqual([{ a: { key: 'a' } }]);
  finish();
  await pass(1000);
  expect(updates).toEqual([{ a: { key: 'a' } }, { b: { key: 'b' } }]);
  expect(asked).toEqual(['a', 'b']);
  stop.abort(new Error('enough'));
  await expect(following).rejects.toThrow('enough');
});

it('withdraws a question that somebody else has answered', async () => {
  const asking = task({ status: 'input_required', inputRequests: { a: { method: 'roots/list' } } });
  const updates: JsonObject[] = [];
  const done = task({ status: 'completed', result: {} });
  const line = scripted([asking, done], { update: async (_id, responses) => updates.push(responses) });
  let withdrawn = false;
  const answer: FollowOptions['answer'] = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        withdrawn = true;
        reject(new Error('withdrawn'));
      });
    });
  const following = followTask(asking, line, options({ answer }));
  await pass(3000);
  expect(await following).toBe(done);
  expect(withdrawn).toBe(true);
  expect(updates).toEqual([]);
});

it('goes on after some polls without an answer, and gives up after five in a row', async () => {
  const lost = new Error('lost');
  const line = scripted([lost, lost, lost, lost, task(), lost, lost, lost, lost, lost]);
  const following = followTask(task(), line, options());
  following.catch(() => undefined);
  await pass(12_000);
  await expect(following).rejects.toBe(lost);
  expect(line.polls).toHaveLength(10);
});

it('ends at once with the error of a server that does not know the task any more', async () => {
  const unknown = new RpcError({ code: -32602, message: 'Unknown task' });
  const line = scripted([unknown]);
  const following = followTask(task(), line, options());
  following.catch(() => undefined);
  await pass(1500);
  await expect(following).rejects.toBe(unknown);
  expect(line.polls).toHaveLength(1);
});

it('polls less often while the server says what changes, and as before when it says nothing any more', async () => {
  let changed: (task: Task) => void = () => undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const closed: boolean[] = [];
  const line = scripted([task()], {
    watch: async (_id, listener) => {
      changed = listener;
      return { ended, close: async () => void closed.push(true) };
    },
  });
  const seen: (string | undefined)[] = [];
  const following = followTask(task(), line, options({ onTask: ({ statusMessage }) => void seen.push(statusMessage) }));
  await pass(15_000);
  expect(line.polls).toHaveLength(2);
  changed(task({ statusMessage: 'half' }));
  changed(task({ statusMessage: 'half' }));
  end();
  await pass(3000);
  expect(line.polls.length).toBeGreaterThanOrEqual(4);
  changed(task({ status: 'cancelled' }));
  expect((await following).status).toBe('cancelled');
  expect(seen).toContain('half');
  expect(seen.filter((message) => message === 'half')).toHaveLength(1);
  expect(closed).toEqual([true]);
});

/** A moment as the server writes it. */
const at = (milliseconds: number): string => new Date(milliseconds).toISOString();
const QUESTION = { method: 'roots/list' };
const asking = (key: string, more: JsonObject = {}): Task =>
  task({ status: 'input_required', inputRequests: { [key]: QUESTION }, ...more });
const ENDED = task({ status: 'completed', result: {}, lastUpdatedAt: at(90_000) });

/** A subscription whose changes a test tells. */
class Told {
  tell: (task: Task) => void = () => undefined;
  readonly watch = async (_id: string, changed: (task: Task) => void): Promise<Watch> => {
    this.tell = changed;
    return { ended: new Promise(() => undefined), close: async () => undefined };
  };
}

/** A poll that is on its way: it is answered when a test says so. */
class HeldPolls {
  readonly #waiting: ((answer: Task) => void)[] = [];
  readonly get = (): Promise<Task> => new Promise((resolve) => this.#waiting.push(resolve));

  get count(): number {
    return this.#waiting.length;
  }

  answer(task: Task): void {
    this.#waiting.shift()?.(task);
  }
}

it.each([
  ['older by its time', at(1000), at(2000)],
  ['as old, as far as its time says', at(2000), at(2000)],
  ['of a server whose times cannot be read', 'then', 'now'],
])('withdraws no question because of an answer that was overtaken by it and is %s', async (_what, early, late) => {
  const [told, polls, updates] = [new Told(), new HeldPolls(), [] as JsonObject[]];
  const line = { ...scripted([]), get: polls.get, watch: told.watch };
  let withdrawn = false;
  const answer: FollowOptions['answer'] = async ({ signal }) => {
    await pass(3000);
    withdrawn = signal.aborted;
    return { action: 'accept' };
  };
  line.update = async (_id, responses) => updates.push(responses);
  const following = followTask(task({ lastUpdatedAt: early }), line, options({ answer }));
  await pass(1000);
  expect(polls.count).toBe(1);
  told.tell(asking('a', { lastUpdatedAt: late }));
  polls.answer(task({ lastUpdatedAt: early }));
  await pass(4000);
  expect([withdrawn, updates]).toEqual([false, [{ a: { action: 'accept' } }]]);
  told.tell(ENDED);
  expect(await following).toBe(ENDED);
});

it('takes an answer that is newer than the change that overtook it, and the end of a task in any case', async () => {
  const [told, polls, seen] = [new Told(), new HeldPolls(), [] as unknown[]];
  const line = { ...scripted([]), get: polls.get, watch: told.watch };
  const onTask = ({ statusMessage }: Task): void => void seen.push(statusMessage);
  const following = followTask(task({ lastUpdatedAt: at(1000) }), line, options({ onTask }));
  await pass(1000);
  told.tell(task({ statusMessage: 'half', lastUpdatedAt: at(2000) }));
  polls.answer(task({ statusMessage: 'nearly', lastUpdatedAt: at(3000) }));
  await pass(10_500);
  told.tell(task({ statusMessage: 'nearly done', lastUpdatedAt: at(4000) }));
  polls.answer({ ...ENDED, lastUpdatedAt: at(2000) });
  expect((await following).status).toBe('completed');
  expect(seen).toEqual([undefined, 'half', 'nearly', 'nearly done', undefined]);
});

it('polls in place of believing a change that is told after newer news', async () => {
  const told = new Told();
  let withdrawn = false;
  const line = scripted([task(), asking('a', { lastUpdatedAt: at(2000) })], { watch: told.watch });
  const answer: FollowOptions['answer'] = ({ signal }) => {
    signal.addEventListener('abort', () => (withdrawn = true));
    return new Promise(() => undefined);
  };
  const following = followTask(task(), line, options({ answer }));
  await pass(11_000);
  const polls = line.polls.length;
  told.tell(task({ lastUpdatedAt: at(1000) }));
  await pass(500);
  expect([withdrawn, line.polls.length]).toEqual([false, polls + 1]);
  told.tell(ENDED);
  expect(await following).toBe(ENDED);
});

it('asks a question again that was withdrawn without an answer, and comes back', async () => {
  const asked: string[] = [];
  const line = scripted([task(), asking('a'), ENDED]);
  const answer: FollowOptions['answer'] = ({ key, signal }) => {
    asked.push(key ?? '');
    if (asked.length === 2) return { action: 'accept' };
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('withdrawn'))));
  };
  const following = followTask(asking('a'), line, options({ answer }));
  await pass(4000);
  expect(await following).toBe(ENDED);
  expect(asked).toEqual(['a', 'a']);
});

it('polls again after an answer that was sent during a poll', async () => {
  const polls = new HeldPolls();
  let finish: () => void = () => undefined;
  const line = { ...scripted([]), get: polls.get };
  const answer: FollowOptions['answer'] = async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    return { action: 'accept' };
  };
  const waits = asking('a', { pollIntervalMs: 60_000 });
  const following = followTask(waits, line, options({ answer }));
  await pass(200);
  finish();
  await turn();
  polls.answer(waits);
  await pass(300);
  polls.answer(ENDED);
  expect(await following).toBe(ENDED);
});

describe('an answer that does not arrive', () => {
  const lost = new Error('lost');

  /** A server that does not take so many answers; what it takes is kept. */
  function careless(failures: number, error: Error): TaskLine & { readonly times: number[] } {
    const times: number[] = [];
    const update = async (): Promise<void> => {
      times.push(clock.elapsed());
      if (times.length <= failures) throw error;
      line.get = async () => ENDED;
    };
    const line = { ...scripted([asking('a')]), update, times };
    return line;
  }

  it('is sent again, four times, without asking again', async () => {
    const line = careless(4, lost);
    let asked = 0;
    const following = followTask(asking('a'), line, options({ answer: () => ({ asked: ++asked }) }));
    await pass(6000);
    expect(await following).toBe(ENDED);
    expect([asked, gaps(line.times)]).toEqual([1, [1000, 1000, 1000, 1000]]);
  });

  it('ends the following after five times, or at once if the server will never take it', async () => {
    const refused = new RpcError({ code: -32602, message: 'Unknown task' });
    for (const [error, count] of [
      [lost, 5],
      [refused, 1],
    ] as const) {
      const line = careless(99, error);
      const following = followTask(asking('a'), line, options());
      following.catch(() => undefined);
      await pass(6000);
      await expect(following).rejects.toBe(error);
      expect(line.times).toHaveLength(count);
    }
  });

  it('is sent when the server wants it, as the next poll is', async () => {
    const line = careless(1, lost);
    line.retryAfter = (error) => (error === lost ? 3 : undefined);
    const following = followTask(asking('a'), line, options());
    await pass(4000);
    expect(await following).toBe(ENDED);
    expect(gaps(line.times)).toEqual([3000]);
    const polled = scripted([lost, ENDED], { retryAfter: () => 7 });
    const other = followTask(task(), polled, options());
    await pass(9000);
    expect(await other).toBe(ENDED);
    expect(gaps(polled.polls)).toEqual([7000]);
  });

  it('is sent when the server wants it, and no poll is sent before that, whatever else arrives', async () => {
    let confirm: (watch: Watch) => void = () => undefined;
    const polled = scripted([lost, ENDED], {
      retryAfter: () => 7,
      watch: () => new Promise((resolve) => (confirm = resolve)),
    });
    const following = followTask(asking('a'), polled, options());
    await pass(1000);
    confirm({ ended: new Promise(() => undefined), close: async () => undefined });
    await pass(8000);
    expect(await following).toBe(ENDED);
    expect(gaps(polled.polls)).toEqual([7000]);
  });

  it('is given up when the question is withdrawn meanwhile, and asked for again if it comes back', async () => {
    const line = careless(1, lost);
    const states = [task(), asking('a')];
    line.get = async () => states.shift() ?? asking('a');
    let asked = 0;
    const answer: FollowOptions['answer'] = () => ({ asked: ++asked });
    const update = line.update.bind(line);
    line.update = async (...args) => {
      // So long that the polls say that it is withdrawn.
      if (line.times.length === 0) await pass(1500);
      await update(...args);
    };
    const following = followTask(asking('a', { pollIntervalMs: 200 }), line, options({ answer }));
    await pass(6000);
    expect(await following).toBe(ENDED);
    expect(asked).toBe(2);
  });
});

/** How long the messages of a run are on their way, in milliseconds: as many as a run needs, over and over. */
const DELAYS = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 30 });

/** A server that asks for one thing after the other, tells each change, and is as far away as a run says. */
class FarServer {
  readonly line: TaskLine;
  #delays = 0;
  #step = 0;
  #changedAt = 0;
  #tell: (task: Task) => void = () => undefined;

  constructor(
    private readonly delays: readonly number[],
    private readonly questions: number,
    /** Milliseconds that the server tells apart. */
    private readonly tick: number,
  ) {
    this.line = {
      get: () => this.#carry(() => this.#state()),
      update: (_id, responses) => this.#carry(() => this.#answer(responses)),
      watch: async (_id, changed) => {
        this.#tell = changed;
        return { ended: new Promise(() => undefined), close: async () => undefined };
      },
      isFinal: () => false,
    };
  }

  /** Begins to work; each other step is a question. */
  begin(): Task {
    this.#later(() => this.#advance());
    return this.#state();
  }

  #advance(): void {
    this.#step += 1;
    this.#changedAt = clock.elapsed();
    const state = this.#state();
    this.#later(() => this.#tell(state));
    if (state.status === 'working') this.#later(() => this.#advance());
  }

  #answer(responses: JsonObject): void {
    if (`q${this.#step}` in responses && this.#step % 2 === 1) this.#advance();
  }

  #state(): Task {
    const lastUpdatedAt = at(Math.floor(this.#changedAt / this.tick) * this.tick);
    if (this.#step >= 2 * this.questions) return { ...ENDED, lastUpdatedAt };
    return this.#step % 2 === 1 ? asking(`q${this.#step}`, { lastUpdatedAt }) : task({ lastUpdatedAt });
  }

  /** There and back. */
  #carry<T>(act: () => T): Promise<T> {
    return new Promise((resolve) =>
      this.#later(() => {
        const result = act();
        this.#later(() => resolve(result));
      }),
    );
  }

  #later(act: () => void): void {
    clock.after(this.delays[this.#delays++ % this.delays.length] ?? 0, act);
  }
}

it('ends with the task, and loses no answer, whatever the order in which answers and changes arrive', async () => {
  await fc.assert(
    fc.asyncProperty(DELAYS, fc.integer({ min: 1, max: 4 }), fc.constantFrom(1, 100, 1000), async (...given) => {
      const server = new FarServer(...given);
      const answer: FollowOptions['answer'] = () => ({ action: 'accept' });
      const following = followTask(server.begin(), server.line, options({ answer }));
      let ended: Task | undefined;
      void following.then((last) => (ended = last));
      for (let passed = 0; passed < 120_000 && !ended; passed += 100) {
        await clock.advance(100);
        await turn();
      }
      expect(ended?.status).toBe('completed');
    }),
    { numRuns: runs(300) },
  );
});

it.each([
  [{ status: 'lost' }, 'status must be one of'],
  [{ taskId: '' }, 'taskId must be a string'],
  [{ createdAt: 5 }, 'createdAt must be a string'],
  [{ status: 'input_required', inputRequests: { a: {} } }, 'inputRequests.a must be a request'],
  [{ status: 'input_required', inputRequests: 7 }, 'inputRequests must be an object'],
  [{ status: 'completed' }, 'result must be an object'],
  [{ status: 'failed', error: {} }, 'error must be an error of JSON-RPC'],
])('does not take %j for a task', (members, problem) => {
  expect(() => task(members)).toThrow(problem);
});
