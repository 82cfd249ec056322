/* global module */
/**
 * Finds modules as jest does, and two that it does not find: `./note.js` where there is only `./note.ts`, which is how ES modules
 * import it; and packages that have nothing but ES modules.
 */
const COMPILED = /\.([cm]?)js$/;

module.exports = (path, options) => {
  try {
    return options.defaultResolver(path, options);
  } catch (error) {
    const again = /^\.{1,2}\//.test(path)
      ? COMPILED.test(path) && [path.replace(COMPILED, '.$1ts'), options]
      : /^[@a-z]/i.test(path) && [path, { ...options, conditions: ['import', 'node', 'default'] }];
    if (!again) throw error;
    try {
      return options.defaultResolver(...again);
    } catch {
      throw error;
    }
  }
};
