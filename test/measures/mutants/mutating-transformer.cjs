/** Compiles as `jest.config.ts` says, one file with a mutation: SIGIL_MUTANT is its path and its text. No file of the repository is changed. */
const { readFileSync } = require('node:fs');
const { createTransformer } = require('../../../scripts/compile-typescript.cjs');

const { path: mutant, text } = JSON.parse(readFileSync(process.env.SIGIL_MUTANT, 'utf8'));

module.exports.createTransformer = (options) => {
  const transformer = createTransformer(options);
  const textOf = (source, path) => (path === mutant ? text : source);
  return {
    getCacheKey: (source, path, how) => transformer.getCacheKey(textOf(source, path), path, how),
    process: (source, path, how) => transformer.process(textOf(source, path), path, how),
  };
};
