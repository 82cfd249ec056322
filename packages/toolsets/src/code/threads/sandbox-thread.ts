/**
 * A thread that runs one script, in QuickJS compiled to WebAssembly: a JavaScript engine of its own, with its own memory, in which there is
 * nothing of Node. It ends with its script, or is terminated.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  CUT,
  FULL,
  READY,
  SaidByScript,
  wordsForLimit,
  type FromSandbox,
  type SandboxData,
  type ScriptEnd,
  type ScriptLimit,
  type Settled,
} from './messages';
import { PRELUDE } from './prelude';

/** Bytes of the stack of a script: a recursion that is too deep throws an error there, and not in WebAssembly. */
const STACK = 256 * 1024;
/** Jobs of promises after which the time is looked at. */
const JOBS = 500;
/** QuickJS throws this if it has no memory for an error; a script may throw it, too. */
const NO_ERROR = /^(?:Error: )?null$/;
const PERHAPS_MEMORY = 'null, thrown by itself, or by QuickJS without memory for an error (limits.memory)';
/** Characters of a name that are read. */
const NAME = 1000;

/** What a script asks for. */
type SandboxRequest = Extract<FromSandbox, { readonly id: number }>;

/** Starts the thread. */
export function start(): void {
  if (!parentPort) return;
  const port = parentPort;
  const fail = (error: unknown): void => {
    throw error;
  };
  const data = workerData as SandboxData;
  void newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: data.engine }))
    .then((module) => new Sandbox(module.newRuntime(), data, port).begin())
    .catch(fail);
}

/** One script. */
class Sandbox {
  readonly #console: string[] = [];
  /** Characters for which the console has room; each line has an end. */
  #room: number;
  readonly #said: SaidByScript;
  /** Calls that were sent, and those that wait for them. */
  readonly #running = new Set<number>();
  readonly #queue: SandboxRequest[] = [];
  /** Questions that are not sent. */
  readonly #refused: { readonly id: number; readonly limit: ScriptLimit }[] = [];
  #end: ScriptEnd | undefined;
  /** What the script waits for. */
  #pending = 0;
  #settled = 0;
  /** Milliseconds of computing time before the current turn, and when that began. */
  #used = 0;
  #since = 0;
  #isOverTime = false;
  #settle: QuickJSHandle | undefined;
  /** `String.prototype.slice`, as it was before the script. */
  #slice: QuickJSHandle | undefined;
  readonly #context: QuickJSContext;

  constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly data: SandboxData,
    private readonly port: MessagePort,
  ) {
    this.#said = new SaidByScript(data.limits, new Set(data.names));
    this.#room = data.limits.console;
    runtime.setMemoryLimit(data.limits.memory);
    runtime.setMaxStackSize(STACK);
    runtime.setInterruptHandler(() => this.#isLate());
    this.#context = runtime.newContext();
    port.on('message', (settled: Settled) => this.#take(settled));
  }

  begin(): void {
    this.#send(READY);
    this.#turn(() => {
      const { names, now, seed, script } = this.data;
      this.#slice = this.#eval('String.prototype.slice', 'prelude.js');
      const prelude = this.#eval(PRELUDE, 'prelude.js');
      const tell = this.#context.newFunction('tell', (...parts) => this.#hear(parts));
      const setup = this.#context.newString(JSON.stringify({ names, now, seed }));
      const made = prelude && this.#call(prelude, [tell, setup]);
      if (!made) return;
      this.#settle = this.#context.getProp(made, 'settle');
      const body = this.#eval(`${script}\nscript;`, 'script.js');
      if (body) this.#call(this.#context.getProp(made, 'begin'), [body]);
    });
  }

  /** A text from the script, of which no more is copied than may be. */
  #text(handle: QuickJSHandle | undefined, most: number): string {
    const context = this.#context;
    if (!handle || this.#lengthOf(handle) <= most) return handle ? context.getString(handle) : '';
    const end = context.newNumber(most);
    const cut = this.#slice && this.#unwrap(context.callFunction(this.#slice, handle, context.newNumber(0), end));
    return cut?.consume((text) => context.getString(text)) ?? '';
  }

  /** That of a text, which a script cannot change. */
  #lengthOf(handle: QuickJSHandle): number {
    return this.#context.getProp(handle, 'length').consume((length) => this.#context.getNumber(length));
  }

  /** What the script says. */
  #hear([kind, id, name, json]: QuickJSHandle[]): undefined {
    if (this.#end !== undefined || !kind || !json) return;
    const said = this.#text(kind, NAME);
    if (said === 'log') this.#log(json);
    else if (said === 'call' || said === 'search') this.#ask(said, Number(this.#text(id, NAME)), { name, json });
    else this.#end = this.#endOf(said, this.#text(name, NAME), json);
  }

  #log(json: QuickJSHandle): void {
    if (this.#room < 0) return;
    const line = this.#text(json, this.#room + 1);
    this.#console.push(line.length > this.#room ? `${line.slice(0, this.#room)}${FULL}` : line);
    this.#room -= line.length + 1;
  }

  #ask(kind: 'call' | 'search', id: number, { name, json }: Readonly<Record<string, QuickJSHandle | undefined>>): void {
    this.#pending += 1;
    const limit = this.#said.limitOfCall(kind, json ? this.#lengthOf(json) : 0);
    if (limit) this.#refused.push({ id, limit });
    else {
      const text = this.#text(json, this.data.limits.answer);
      this.#queue.push({ kind, id, name: this.#text(name, NAME), json: text });
      this.#sendNext();
    }
  }

  /** Sends what is asked for; calls beyond those that may run at the same time wait here, in the memory of the thread. */
  #sendNext(): void {
    while (this.#queue[0] && (this.#queue[0].kind === 'search' || this.#running.size < this.data.limits.parallel)) {
      const question = this.#queue.shift() as SandboxRequest;
      if (question.kind === 'call') this.#running.add(question.id);
      this.#send(question);
    }
  }

  #endOf(kind: string, tool: string, json: QuickJSHandle): ScriptEnd {
    const { result } = this.data.limits;
    if (kind === 'nothing') return { kind: 'result' };
    if (kind !== 'result') return this.#errorEnd(this.#text(json, result + 1), tool);
    return this.#lengthOf(json) > result
      ? { kind: 'limit', limit: 'result' }
      : { kind, json: this.#text(json, result) };
  }

  #errorEnd(message: string, tool: string): ScriptEnd {
    if (/^InternalError: out of memory$/.test(message)) return { kind: 'limit', limit: 'memory' };
    if (NO_ERROR.test(message)) return { kind: 'error', message: PERHAPS_MEMORY };
    const { result } = this.data.limits;
    const shown = message.length > result ? `${message.slice(0, result)}${CUT}` : message;
    return this.data.names.includes(tool) ? { kind: 'error', message: shown, tool } : { kind: 'error', message: shown };
  }

  #take(settled: Settled): void {
    this.#settled += 1;
    if (this.#running.delete(settled.id)) this.#sendNext();
    this.#turn(() => this.#tell(settled));
  }

  /** Passes an answer to the script. */
  #tell({ id, ok, json }: Settled): void {
    this.#pending -= 1;
    const context = this.#context;
    const isOk = ok ? context.true : context.false;
    if (this.#settle) this.#call(this.#settle, [context.newNumber(id), isOk, context.newString(json)]);
  }

  /** Computes until there is nothing to compute. */
  #turn(work: () => void): void {
    if (!this.#end) this.#compute(work);
    // What a script has called and did not wait for is done, too.
    if (!this.#end || this.#queue.length > 0) return this.#send({ kind: 'waiting', settled: this.#settled });
    this.#send({ kind: 'ended', end: this.#end, console: this.#console });
    this.port.close();
  }

  #compute(work: () => void): void {
    this.#since = performance.now();
    work();
    while (!this.#end && !this.#isLate() && (this.runtime.hasPendingJob() || this.#refused.length > 0)) {
      this.runtime.executePendingJobs(JOBS).dispose();
      this.#refuse();
    }
    this.#used += performance.now() - this.#since;
    if (this.#isOverTime) this.#end = { kind: 'limit', limit: 'cpu' };
    if (!this.#end && this.#pending === 0) this.#end = { kind: 'stuck' };
  }

  #refuse(): void {
    for (const { id, limit } of this.#refused.splice(0)) {
      const json = JSON.stringify(wordsForLimit(limit, this.data.limits));
      this.#tell({ id, ok: false, json });
    }
  }

  #isLate(): boolean {
    this.#isOverTime ||= this.#used + performance.now() - this.#since > this.data.limits.cpu;
    return this.#isOverTime;
  }

  #eval(code: string, name: string): QuickJSHandle | undefined {
    return this.#unwrap(this.#context.evalCode(code, name, { type: 'global' }));
  }

  #call(run: QuickJSHandle, given: QuickJSHandle[]): QuickJSHandle | undefined {
    return this.#unwrap(this.#context.callFunction(run, this.#context.undefined, ...given));
  }

  #unwrap(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle | undefined {
    if (!result.error) return result.value;
    const thrown: unknown = this.#context.dump(result.error);
    const { name = 'Error', message = String(thrown) } = (thrown ?? {}) as { name?: unknown; message?: unknown };
    this.#end ??= this.#errorEnd(`${String(name)}: ${String(message)}`, '');
    return undefined;
  }

  #send(message: FromSandbox): void {
    this.port.postMessage(message);
  }
}
