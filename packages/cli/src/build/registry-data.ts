/**
 * The shapes of a server's classes as data in its bundle: a start then lists its tools without planning their classes. The bundle is loaded
 * once, up to the point where its server would start: no provider is built, and nothing is opened.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure } from '../failure';
import { loadOnce } from '../project/load-once';
import type { Shell } from '../terminal/shell';

/** What modules of Cloudflare export, for a program that is loaded by Node. */
const CLOUDFLARE = ['DurableObject', 'WorkerEntrypoint', 'WorkflowEntrypoint', 'RpcTarget', 'RpcStub'];
const STUB = [
  ...CLOUDFLARE.map((name) => `export class ${name} {}`),
  'export const env = {};',
  'export default {};',
].join(' ');

/** Resolves modules of Cloudflare to empty ones. */
const HOOKS = `export const resolve = (name, context, next) =>
  name.startsWith('cloudflare:') ? { url: ${JSON.stringify(dataUrl(STUB))}, shortCircuit: true } : next(name, context);`;

/** Loads the bundle in `file`, and writes the shapes that its servers compile to `out`. A use that has two shapes is left out. */
const RECORD = `const { register } = require('node:module');
const { writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const [, file, out] = process.argv;
register(${JSON.stringify(dataUrl(HOOKS))});
globalThis.awslambda ??= { streamifyResponse: (handler) => handler };
const shapes = new Map();
const finish = () => {
  writeFileSync(out, JSON.stringify(Object.fromEntries([...shapes].filter(([, shape]) => shape !== undefined))));
  process.exit(0);
};
globalThis[Symbol.for('sigil.shape-recorder')] = {
  record(use, shape) {
    const isSame = !shapes.has(use) || JSON.stringify(shapes.get(use)) === JSON.stringify(shape);
    shapes.set(use, isSame ? shape : undefined);
  },
  starting: finish,
};
import(pathToFileURL(file).href).then(finish, (error) => {
  console.error(error);
  process.exit(1);
});`;

function dataUrl(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/**
 * Loads a bundle, and returns the statement that stores the shapes of its classes in another bundle of the same program.
 * @param file the bundle, at its own place
 * @throws CliFailure with what the program printed, if it cannot be loaded
 */
export async function recordShapes(shell: Shell, file: string, signal: AbortSignal): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-shapes-'));
  const out = join(folder, 'shapes.json');
  try {
    const reason = await loadOnce(['-e', RECORD, file, out], signal, shell);
    if (reason !== undefined) throw failure('SIGIL_BUILD_REGISTRY_DATA', { reason });
    return statement(readFileSync(out, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** V8 reads JSON faster than an object in a program. Not enumerable: the program does not meet it. */
function statement(json: string): string {
  const value = `{ value: JSON.parse(${JSON.stringify(json)}), configurable: true }`;
  return `Object.defineProperty(globalThis, Symbol.for('sigil.stored-shapes'), ${value});`;
}
