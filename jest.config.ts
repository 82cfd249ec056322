/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import { availableParallelism } from 'node:os';

/** Packages are tested from their sources; what needs the build (e2e, packaging) spawns `dist`. */
const sources = {
  '^@sigil-mcp/base/facts$': '<rootDir>/packages/base/src/facts/facts.ts',
  '^@sigil-mcp/client/wire$': '<rootDir>/packages/client/src/wire.ts',
  '^@sigil-mcp/schema/errors$': '<rootDir>/packages/schema/src/errors/errors.ts',
  '^@sigil-mcp/schema/plain$': '<rootDir>/packages/schema/src/plain/index.ts',
  '^@sigil-mcp/schema/typescript$': '<rootDir>/packages/schema/src/typescript/index.ts',
  '^@sigil-mcp/toolsets/code$': '<rootDir>/packages/toolsets/src/code/index.ts',
  '^@sigil-mcp/core/adapter$': '<rootDir>/packages/core/src/adapter.ts',
  '^@sigil-mcp/core/stdio/guard$': '<rootDir>/packages/core/src/transports/stdio/guard.ts',
  '^@sigil-mcp/core/stdio$': '<rootDir>/packages/core/src/transports/stdio/index.ts',
  '^@sigil-mcp/core/stores$': '<rootDir>/packages/core/src/stores/index.ts',
  '^@sigil-mcp/http/adapter$': '<rootDir>/packages/http/src/adapter.ts',
  '^@sigil-mcp/http/fetch$': '<rootDir>/packages/http/src/fetch/index.ts',
  '^@sigil-mcp/http/cloudflare$': '<rootDir>/packages/http/src/cloudflare/index.ts',
  '^@sigil-mcp/http/lambda$': '<rootDir>/packages/http/src/lambda/index.ts',
  '^@sigil-mcp/http/node$': '<rootDir>/packages/http/src/node/index.ts',
  '^@sigil-mcp/http/node-adapter$': '<rootDir>/packages/http/src/node/adapter.ts',
  '^@sigil-mcp/redis/adapter$': '<rootDir>/packages/redis/src/adapter.ts',
  '^@sigil-mcp/testing/issuer$': '<rootDir>/packages/testing/src/issuer/index.ts',
  '^@sigil-mcp/testing/stores$': '<rootDir>/packages/testing/src/stores/describe-stores.ts',
  '^@sigil-mcp/testing/matchers$': '<rootDir>/packages/testing/src/matchers/extend-expect.ts',
  '^@sigil-mcp/audit/file-lock$': '<rootDir>/packages/audit/src/lock/file-lock.ts',
  '^@sigil-mcp/audit/verify$': '<rootDir>/packages/audit/src/verify/index.ts',
  '^@sigil-mcp/apps/view$': '<rootDir>/packages/apps/src/view/index.ts',
  '^@sigil-mcp/tasks/redis$': '<rootDir>/packages/tasks/src/stores/redis/index.ts',
  '^@sigil-mcp/tasks/sqlite$': '<rootDir>/packages/tasks/src/stores/sqlite/index.ts',
  '^@sigil-mcp/tasks/testing$': '<rootDir>/packages/tasks/src/testing/index.ts',
  '^@sigil-mcp/testing/view$': '<rootDir>/packages/testing/src/view/index.ts',
  // It is for ES modules alone, so jest does not find it.
  '^@modelcontextprotocol/ext-tasks/client$':
    '<rootDir>/node_modules/@modelcontextprotocol/ext-tasks/dist/client/index.js',
  '^@sigil-mcp/([a-z]+)$': '<rootDir>/packages/$1/src/index.ts',
};

/** A run of `npm run mutants` changes a source on its way. */
const transformer = process.env['SIGIL_MUTANT']
  ? '<rootDir>/test/measures/mutants/mutating-transformer.cjs'
  : 'ts-jest';

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
    '/packages/cli/page/.+\\.js$': '<rootDir>/scripts/compile-es-module.cjs',
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esPackages})/)`],
};

export default config;
