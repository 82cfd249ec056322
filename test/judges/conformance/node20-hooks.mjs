/** Module hook: the suite's `fs` is Node's, with a `globSync` that nobody calls. */
const fsWithGlob =
  'data:text/javascript,' +
  encodeURIComponent("export * from 'node:fs'; export function globSync() { throw new Error('needs Node 22'); }");

export function resolve(specifier, context, nextResolve) {
  const isSuite = context.parentURL?.endsWith('/@modelcontextprotocol/conformance/dist/index.js') ?? false;
  if (specifier === 'fs' && isSuite) return { url: fsWithGlob, shortCircuit: true };
  return nextResolve(specifier, context);
}
