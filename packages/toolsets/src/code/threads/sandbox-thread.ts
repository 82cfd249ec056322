/**
 * A thread that runs one script, in QuickJS compiled to WebAssembly: a JavaScript engine of its own, with its own memory, in which there is
 * nothing of Node. It ends with its script, or is terminated.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from 'quickjs-emscripten-core';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { READY, type FromSandbox, type SandboxData, type ScriptEnd, type Settled } from './messages';
import { PRELUDE } from './prelude';

/** Bytes of the stack of a script: a recursion that is too deep throws an error there, and not in WebAssembly. */
const STACK = 256 * 1024;
/** Jobs of promises after which the time is looked at. */
const JOBS = 500;
/** Characters with which the last line of a full console says that there is no room for more. */
const NOTE = 40;

/** Starts the thread. */
export function start(): void {
  if (!parentPort) return;
  const port = parentPort;
  const fail = (error: unknown): void => {
    throw error;
  };
  void newQuickJSWASMModuleFromVariant(variant)
    .then((module) => new Sandbox(module.newRuntime(), workerData as SandboxData, port).begin())
    .catch(fail);
}

/** One script. */
class Sandbox {
  readonly #console: string[] = [];
  /** Characters of the console, with the ends of its lines. */
  #logged = 0;
  #end: ScriptEnd | undefined;
  /** What the script waits for. */
  #pending = 0;
  #settled = 0;
  /** Milliseconds of computing time before the current turn, and when that began. */
  #used = 0;
  #since = 0;
  #isOverTime = false;
  #settle: QuickJSHandle | undefined;
  readonly #context: QuickJSContext;

  constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly data: SandboxData,
    private readonly port: MessagePort,
  ) {
    runtime.setMemoryLimit(data.memory);
    runtime.setMaxStackSize(STACK);
    runtime.setInterruptHandler(() => this.#isLate());
    this.#context = runtime.newContext();
    port.on('message', (settled: Settled) => this.#turn(() => this.#take(settled)));
  }

  begin(): void {
    this.#send(READY);
    this.#turn(() => {
      const { names, now, seed, consoleLength, script } = this.data;
      const prelude = this.#eval(PRELUDE, 'prelude.js');
      const tell = this.#context.newFunction('tell', (...parts) => this.#hear(parts.map((part) => this.#text(part))));
      const setup = this.#context.newString(JSON.stringify({ names, now, seed, consoleLength }));
      const made = prelude && this.#call(prelude, [tell, setup]);
      if (!made) return;
      this.#settle = this.#context.getProp(made, 'settle');
      const body = this.#eval(`${script}\nscript;`, 'script.js');
      if (body) this.#call(this.#context.getProp(made, 'begin'), [body]);
    });
  }

  #text(handle: QuickJSHandle): string {
    return this.#context.getString(handle);
  }

  /** What the script says. */
  #hear([kind, id, name, json]: string[]): undefined {
    if (this.#end !== undefined || json === undefined || name === undefined) return;
    if (kind === 'log') this.#log(json);
    else if (kind === 'call' || kind === 'search') {
      this.#pending += 1;
      this.#send({ kind, id: Number(id), name, json });
    } else if (kind === 'nothing') this.#end = { kind: 'result' };
    else if (kind === 'result')
      this.#end = json.length > this.data.resultLength ? { kind: 'limit', limit: 'result' } : { kind, json };
    else this.#end = this.#errorEnd(json, this.data.names.includes(name) ? name : '');
  }

  /** Counted here as well, because a script may replace what the prelude counts with. */
  #log(line: string): void {
    const { consoleLength } = this.data;
    if (this.#logged > consoleLength) return;
    this.#console.push(shortened(line, consoleLength - this.#logged + NOTE));
    this.#logged += line.length + 1;
  }

  #errorEnd(message: string, tool: string): ScriptEnd {
    if (/^InternalError: out of memory$/.test(message)) return { kind: 'limit', limit: 'memory' };
    const shown = shortened(message, this.data.resultLength);
    return tool === '' ? { kind: 'error', message: shown } : { kind: 'error', message: shown, tool };
  }

  #take({ id, ok, json }: Settled): void {
    this.#pending -= 1;
    this.#settled += 1;
    const context = this.#context;
    const isOk = ok ? context.true : context.false;
    if (this.#settle) this.#call(this.#settle, [context.newNumber(id), isOk, context.newString(json)]);
  }

  /** Computes until there is nothing to compute. */
  #turn(work: () => void): void {
    if (this.#end) return;
    this.#since = performance.now();
    work();
    while (!this.#end && !this.#isLate() && this.runtime.hasPendingJob())
      this.runtime.executePendingJobs(JOBS).dispose();
    this.#used += performance.now() - this.#since;
    if (this.#isOverTime) this.#end = { kind: 'limit', limit: 'cpu' };
    if (!this.#end && this.#pending === 0) this.#end = { kind: 'stuck' };
    if (!this.#end) return this.#send({ kind: 'waiting', settled: this.#settled });
    this.#send({ kind: 'ended', end: this.#end, console: this.#console });
    this.port.close();
  }

  #isLate(): boolean {
    this.#isOverTime ||= this.#used + performance.now() - this.#since > this.data.cpu;
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

function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
