/** The files that threads run, and TypeScript, which a project has. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** The folder of this package: threads run what is built, also where the sources are run. */
function own(): string {
  return dirname(require.resolve('@sigil-mcp/toolsets/package.json'));
}

/**
 * Starts a thread without the environment and the flags of the process.
 * @param name its module, which exports `start`
 * @param heap megabytes of JavaScript memory of the thread itself
 */
export function startThread(name: 'compiler-thread' | 'sandbox-thread', data: unknown, heap: number): Worker {
  const path = join(own(), 'dist', 'code', 'threads', `${name}.js`);
  const worker = new Worker(`require(${JSON.stringify(path)}).start();`, {
    eval: true,
    workerData: data,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: 16 },
  });
  // A script does not keep a process alive whose server has closed.
  worker.unref();
  return worker;
}

/** What Node has, and its types do not. */
declare const WebAssembly: { compile(code: Uint8Array): Promise<object> };

// eslint-disable-next-line no-restricted-syntax -- compiled code of an installed file, which nobody can change
let engine: Promise<object> | undefined;

/** QuickJS, compiled once for the threads of all scripts: as long as starting the rest of a thread takes. */
export function compiledEngine(): Promise<object> {
  const path = (): string =>
    createRequire(join(own(), 'package.json')).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  return (engine ??= readFile(path()).then((code) => WebAssembly.compile(code)));
}

/** TypeScript, as it is installed. */
export interface InstalledTypeScript {
  readonly path: string;
  /** Whether it has a compiler that programs can call: version 7 has none. */
  readonly isUsable: boolean;
  readonly version: string;
}

/** Finds TypeScript; undefined if it is not installed. */
export function findTypeScript(): InstalledTypeScript | undefined {
  try {
    const path = require.resolve('typescript');
    const { version } = JSON.parse(readFileSync(require.resolve('typescript/package.json'), 'utf8')) as {
      readonly version: string;
    };
    return { path, version, isUsable: Number.parseInt(version, 10) < 7 };
  } catch {
    return undefined;
  }
}
