/**
 * The runtime of specs: a worker loads libraries, the sources of packages and the matchers of jest once, and not once for each spec, which
 * took half of the time of all tests. Specs, their helpers and apps are loaded anew for each spec: they declare tests and keep state.
 * A spec that needs modules of its own has `@jest-environment node` at its top.
 */
const Runtime = require('jest-runtime').default;

const isLibrary = (path) => /[\\/](node_modules|packages[\\/][a-z]+[\\/]src)[\\/]/.test(path);
/** What runs the tests of a spec keeps their state. */
const isMatcher = (path) => !/[\\/]jest-circus[\\/]/.test(path);

/** Modules by path: those that specs share in one map for all, and those of one spec. */
class Modules extends Map {
  #isShared;
  #shared;

  constructor(isShared, shared) {
    super();
    this.#isShared = isShared;
    this.#shared = shared;
  }

  get(path) {
    return this.#isShared(path) ? this.#shared.get(path) : super.get(path);
  }

  has(path) {
    return this.#isShared(path) ? this.#shared.has(path) : super.has(path);
  }

  set(path, module) {
    if (!this.#isShared(path)) return super.set(path, module);
    this.#shared.set(path, module);
    return this;
  }

  delete(path) {
    return this.#isShared(path) ? this.#shared.delete(path) : super.delete(path);
  }
}

const libraries = new Map();
const matchers = new Map();
/** The file of the source map, by path. */
const sourceMaps = new Map();
/** That of the spec that runs. */
let current;

module.exports = class SharedRuntime extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    if (!environment.sharesModules) return;
    current = this;
    this.registries.moduleRegistry = new Modules(isLibrary, libraries);
    this.registries.internalModuleRegistry = new Modules(isMatcher, matchers);
    this.transformCache.sourceMaps = sourceMaps;
    this.#shareRequire();
  }

  /** What was counted since the last spec, because jest adds what specs report: shared modules count on. */
  getAllCoverageInfoCopy() {
    const copy = super.getAllCoverageInfoCopy();
    if (!copy || !this._environment.sharesModules) return copy;
    for (const { s, f, b } of Object.values(this._environment.global.__coverage__))
      for (const counts of [s, f, ...Object.values(b)]) for (const key of Object.keys(counts)) counts[key] = 0;
    const isCounted = ({ s, f, b }) =>
      [s, f, ...Object.values(b)].some((counts) => Object.values(counts).some(Boolean));
    return Object.fromEntries(Object.entries(copy).filter(([, file]) => isCounted(file)));
  }

  /** A shared module outlives the runtime that has loaded it: what it requires later, the runtime of that time loads. */
  #shareRequire() {
    const build = this.requireBuilder.for.bind(this.requireBuilder);
    this.requireBuilder.for = (module, options) => {
      const load = options?.isInternalModule === true ? 'requireInternalModule' : 'requireModuleOrMock';
      return new Proxy(build(module, options), {
        apply: (_require, _this, [name]) => current[load](module.filename, name),
      });
    };
  }
};
