/* global module, require, setTimeout, clearTimeout, __dirname */
/**
 * Runs a file of tests with jest-circus, and closes what `connect`, `issuer` and the like opened: what a test opened when it is over, also
 * when it failed, because a program that runs on would keep jest from ending; what was opened outside of a test, as in `beforeAll`, at
 * the end of the file. It listens to the events of the runner: a hook of ours would run before those of the file, which may still use
 * what is open. And it works in any test environment, because it is not one itself.
 */
const { createRequire } = require('node:module');
const { join } = require('node:path');

/** The name under which `connect` and the like look for the function that takes what they opened. */
const OPENED = Symbol.for('sigil.testing.opened');

/** jest-circus as jest itself finds it: strict package managers show each package its own dependencies alone. */
function findCircus(rootDir) {
  const steps = ['jest/package.json', 'jest-cli/package.json', 'jest-config/package.json', 'jest-circus/runner'];
  const find = (from) => steps.reduce((place, step) => createRequire(place).resolve(step), from);
  for (const folder of [rootDir, __dirname])
    try {
      return find(join(folder, 'file'));
    } catch {
      // Somebody may run jest in another way than by the package of this name.
    }
  return require.resolve('jest-circus/runner');
}

/** Whether a promise settles in time. */
async function settlesWithin(milliseconds, promise) {
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds, false)));
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}

/** The last first: a client before the issuer that it has its token of. What was closed by the test is closed already. */
async function closeAll(opened) {
  for (const each of opened.splice(0).reverse()) await each.close().catch(() => undefined);
}

/** What is open in one file of tests. */
class Opened {
  #ofFile = [];
  #ofTest = [];
  #current = this.#ofFile;

  note(opened) {
    this.#current.push(opened);
  }

  async handle(event, { testTimeout, unhandledErrors }) {
    // Concurrent tests begin and end in any order: what they open belongs to the file.
    if (event.name === 'test_start' && !event.test.concurrent) this.#current = this.#ofTest;
    if (event.name === 'test_skip' || event.name === 'test_todo') this.#current = this.#ofFile;
    if (event.name === 'test_done' && !event.test.concurrent) {
      this.#current = this.#ofFile;
      if (!(await settlesWithin(testTimeout, closeAll(this.#ofTest))))
        event.test.errors.push(new Error(`What the test opened was not closed in ${testTimeout} ms.`));
    }
    if (event.name === 'run_finish' && !(await settlesWithin(testTimeout, closeAll(this.#ofFile))))
      unhandledErrors.push(new Error(`What the file opened outside of its tests was not closed in ${testTimeout} ms.`));
  }
}

module.exports = (globalConfig, config, environment, ...others) => {
  const opened = new Opened();
  const ofEnvironment = environment.handleTestEvent?.bind(environment);
  environment.global[OPENED] = (each) => opened.note(each);
  environment.handleTestEvent = async (event, state) => {
    await ofEnvironment?.(event, state);
    await opened.handle(event, state);
  };
  const circus = require(findCircus(config.rootDir));
  return (circus.default ?? circus)(globalConfig, config, environment, ...others);
};
