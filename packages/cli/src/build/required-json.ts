/**
 * JSON files that an ES module requires: `createRequire(import.meta.url)('../package.json')`. The bundler leaves such a call alone,
 * so the bundle would look for the file next to itself; a plain `require` becomes part of the bundle.
 */
const REQUIRED = /\bcreateRequire\(import\.meta\.url\)(?=\((['"])[^'"]+\.json\1\))/g;

/** Makes the JSON files that a module requires part of the bundle. */
export function requiredJson(text: string): string {
  return text.replaceAll(REQUIRED, 'require');
}
