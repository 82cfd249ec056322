/* global module */
/**
 * The preset `@sigil-mcp/testing`: TypeScript with decorator metadata; the store for it and our matchers are loaded before the
 * tests. ts-jest compiles each file on its own if the project's tsconfig.json says `isolatedModules`, as it should.
 */
/** ts-jest does not know that the module kinds of Node imply `esModuleInterop`, and asks for it. */
const HINT_OF_INTEROP = 151001;

module.exports = {
  testEnvironment: 'node',
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['@sigil-mcp/testing/matchers'],
  transform: { '^.+\\.[cm]?ts$': ['ts-jest', { diagnostics: { ignoreCodes: [HINT_OF_INTEROP] } }] },
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
