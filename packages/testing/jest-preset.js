/* global module, require */
/**
 * The preset `@sigil-mcp/testing`: TypeScript with decorator metadata; the store for it and our matchers are loaded before the
 * tests; what tests open is closed after them. ts-jest compiles each file on its own if the project's tsconfig.json says `isolatedModules`, as it should. Projects and
 * packages of ES modules run as CommonJS, so that jest needs no flag for them.
 */
const file = (name) => require.resolve(`./jest/${name}`);

/** Hints of ts-jest and of the compiler that mean nothing here: `esModuleInterop` is implied, `import.meta` is written otherwise. */
const HINTS = [151001, 1343, 1470];

module.exports = {
  testEnvironment: 'node',
  setupFiles: ['reflect-metadata'],
  setupFilesAfterEnv: ['@sigil-mcp/testing/matchers'],
  testRunner: file('close-opened.js'),
  transform: {
    '^.+\\.[cm]?ts$': [
      file('write-common-js.js'),
      { diagnostics: { ignoreCodes: HINTS }, astTransformers: { before: [file('import-meta.js')] } },
    ],
    '^.+\\.m?js$': file('read-es-module.js'),
  },
  transformIgnorePatterns: [],
  resolver: file('find-module.js'),
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
