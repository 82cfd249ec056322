/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import { availableParallelism } from 'node:os';
import { compilerOptions } from './tsconfig.test.json';

/** Packages are tested from their sources, as they are compiled; what needs the build (e2e, packaging) spawns `dist`. */
const sources = {
  ...Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([name, [path = '']]) => [
      `^${name.replace('*', '([a-z]+)')}$`,
      path.replace('./', '<rootDir>/').replace('*', '$1'),
    ]),
  ),
  // It is for ES modules alone, so jest does not find it.
  '^@modelcontextprotocol/ext-tasks/client$':
    '<rootDir>/node_modules/@modelcontextprotocol/ext-tasks/dist/client/index.js',
};

/** A run of `npm run mutants` changes a source on its way. */
const transformer = process.env['SIGIL_MUTANT']
  ? '<rootDir>/test/measures/mutants/mutating-transformer.cjs'
  : '<rootDir>/scripts/compile-typescript.cjs';

/** Packages that are ES modules alone: Node requires them, the loader of jest does not. */
const esPackages = 'arktype|arkregex|@ark|@modelcontextprotocol/ext-(apps|tasks)|entities|jose|parse5|url-template';
const esModules = `/node_modules/(${esPackages})/.+\\.js$`;

const config: Config = {
  // Specs of one worker share the modules of libraries and packages.
  testEnvironment: '<rootDir>/test/support/set-up/shared-environment.cjs',
  runtime: '<rootDir>/test/support/set-up/shared-runtime.cjs',
  // One more than cores: specs that install, compile or start something wait as much as they work, and the rest goes on beside them.
  maxWorkers: availableParallelism() + 1,
  // Threads that compile leave memory that is not given back.
  workerIdleMemoryLimit: '2GB',
  testSequencer: '<rootDir>/scripts/spec-sequencer.cjs',
  // Long enough for a property test and a browser on a busy machine; what hangs still ends.
  testTimeout: 60_000,
  roots: ['<rootDir>/packages', '<rootDir>/apps', '<rootDir>/test'],
  testMatch: ['**/test/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/packages/.*/dist/', '<rootDir>/apps/.*/dist/'],
  setupFiles: ['reflect-metadata'],
  // One browser for all specs of a run, which starts when the first of them asks for it.
  globalSetup: '<rootDir>/test/support/set-up/global-set-up.cjs',
  globalTeardown: '<rootDir>/test/support/set-up/global-tear-down.cjs',
  moduleNameMapper: sources,
  transform: {
    '^.+\\.ts$': [transformer, { tsconfig: '<rootDir>/tsconfig.test.json' }],
    [esModules]: '<rootDir>/scripts/compile-es-module.cjs',
    // The page of sigil dev runs in browsers.
    '/packages/inspector/page/.+\\.js$': '<rootDir>/scripts/compile-es-module.cjs',
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esPackages})/)`],
};

export default config;
