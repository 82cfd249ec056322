/**
 * The environment of specs: one for all specs of a worker, because the modules that they share (`shared-runtime.cjs`) have its globals.
 * After a spec, the variables of the process, the timers and what jest keeps among the globals are as they were before.
 */
const { TestEnvironment } = require('jest-environment-node');

/** By the names of their symbols: the listeners to a spec, and its settings (`jest.setTimeout`, `jest.retryTimes`). */
const KEPT_BY_JEST = [
  'EVENT_HANDLERS',
  'LOG_ERRORS_BEFORE_RETRY',
  'RETRY_IMMEDIATELY',
  'RETRY_TIMES',
  'TEST_TIMEOUT_SYMBOL',
  'WAIT_BEFORE_RETRY',
];

/** What fake timers and spies replace. Were one of them left behind, the timers of every later spec would never fire, those of jest itself among them. */
const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'];

let shared;

module.exports = class SharedEnvironment extends TestEnvironment {
  /** Whether specs here share modules. */
  sharesModules = true;
  #variables;
  #exit;
  #timers;

  constructor(config, context) {
    if (shared) return shared;
    super(config, context);
    shared = this;
    this.#timers = TIMERS.map((name) => [name, Object.getOwnPropertyDescriptor(this.global, name)]);
  }

  async setup() {
    const { env, exit } = this.global.process;
    this.#variables = { ...env };
    this.#exit = exit;
  }

  async teardown() {
    const { process } = this.global;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    process.exit = this.#exit;
    for (const name of KEPT_BY_JEST) Reflect.deleteProperty(this.global, Symbol.for(name));
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.useRealTimers();
    for (const [name, timer] of this.#timers) Object.defineProperty(this.global, name, timer);
  }
};
