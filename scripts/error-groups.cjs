/** Where the packages define their errors. docs/errors has them in this order. */
const { existsSync } = require('node:fs');
const { join } = require('node:path');

/** Package -> the module with its errors, without an extension. */
const MODULES = [
  ['core', 'errors/catalogue'],
  ['schema', 'errors/errors'],
  ['http', 'errors'],
  ['fastify', 'errors'],
  ['nest', 'errors'],
  ['oauth', 'errors'],
  ['redis', 'errors'],
  ['audit', 'errors'],
  ['contract', 'errors'],
  ['apps', 'errors'],
  ['skills', 'errors'],
  ['tasks', 'errors'],
  ['tasks', 'stores/errors'],
  ['results', 'errors'],
  ['toolsets', 'errors'],
  ['client', 'errors'],
  ['testing', 'errors'],
  ['cli', 'errors/errors'],
  ['openapi', 'errors'],
  ['migrate', 'errors'],
  ['publish', 'errors'],
  ['install', 'errors'],
  ['inspector', 'errors'],
];

/**
 * The errors of all packages, in sections, each with its package: `cli`.
 * @param root the repository
 * @param folder in each package: `src`, if the caller can load TypeScript, or `dist`
 * @param load loads a module by its path
 */
function errorGroups(root, folder, load = require) {
  return MODULES.flatMap(([name, module]) => {
    const path = join(root, 'packages', name, folder);
    // Bundled packages keep their single modules in a folder of their own.
    const modules = join(path, 'modules');
    const { ERROR_GROUPS } = load(join(existsSync(join(modules, `${module}.js`)) ? modules : path, module));
    return ERROR_GROUPS.map((group) => ({ ...group, package: name }));
  });
}

module.exports = { errorGroups };
