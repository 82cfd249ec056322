/* global module, require */
/** ES modules of JavaScript, those of packages included, as CommonJS, by the project's TypeScript; everything else as it is. */
const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const ts = require('typescript');
const { factory } = require('./import-meta.js');

const OPTIONS = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.CommonJS,
  esModuleInterop: true,
  allowJs: true,
  inlineSourceMap: true,
};

/** Folder -> whether its `.js` files are ES modules. */
const kinds = new Map();

function holdsEsModules(folder) {
  const known = kinds.get(folder);
  if (known !== undefined) return known;
  const manifest = join(folder, 'package.json');
  const parent = dirname(folder);
  const found = existsSync(manifest)
    ? JSON.parse(readFileSync(manifest, 'utf8')).type === 'module'
    : parent !== folder && holdsEsModules(parent);
  kinds.set(folder, found);
  return found;
}

const isEsModule = (path) => path.endsWith('.mjs') || (path.endsWith('.js') && holdsEsModules(dirname(path)));

module.exports = {
  process(code, path) {
    if (!isEsModule(path)) return { code };
    const transformers = { before: [factory({ configSet: { compilerModule: ts } })] };
    return { code: ts.transpileModule(code, { fileName: path, compilerOptions: OPTIONS, transformers }).outputText };
  },
  getCacheKey: (code, path) =>
    createHash('sha256')
      .update(`1 ${ts.version} ${isEsModule(path)} ${path}\n`)
      .update(code)
      .digest('hex'),
};
