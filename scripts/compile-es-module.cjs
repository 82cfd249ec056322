/** Compiles an ES module of a package to CommonJS, for the loader of jest. */
const { transformSync } = require('esbuild');

module.exports = {
  process: (source) => ({ code: transformSync(source, { format: 'cjs', target: 'node20' }).code }),
};
