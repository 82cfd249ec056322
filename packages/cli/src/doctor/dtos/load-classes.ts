/** A program that loads compiled classes and examines them, in a separate process because it runs their code. */
import { createRequire, Module } from 'node:module';
import { join } from 'node:path';
import type * as Internal from '@sigil-mcp/core/internal';
import { failure } from '../../failure';
import type { FoundClass, FoundClasses, UnreadFile } from './examined-classes';

/** The message to this program. */
export interface LoadOrder {
  readonly folder: string;
  /** The source file, as users know it, and the compiled file. */
  readonly files: readonly (readonly [string, string])[];
  readonly imports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

process.once('message', (order) => {
  // Sent by the parent, see `examine-classes.ts`.
  process.send?.(load(order as LoadOrder), () => process.exit(0));
});

function load({ folder, files, imports }: LoadOrder): FoundClasses {
  resolveAs(imports);
  const fromProject = createRequire(join(folder, 'package.json'));
  fromProject('reflect-metadata');
  const examineClass = (fromProject('@sigil-mcp/core/internal') as typeof Internal).loadExaminer();
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    throw failure('SIGIL_DTOS_FILE_ENDS', { status: code ?? 0 });
  };
  const [classes, unread]: [FoundClass[], UnreadFile[]] = [[], []];
  const seen = new Set<unknown>();
  for (const [file, compiled] of files) {
    try {
      for (const [name, value] of Object.entries(fromProject(compiled) as Readonly<Record<string, unknown>>)) {
        const examined = seen.has(value) ? undefined : examineClass(value, file);
        seen.add(value);
        if (examined) classes.push({ file, name, ...examined });
      }
    } catch (error) {
      unread.push({ file, reason: (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '' });
    }
  }
  process.exit = exit;
  return { classes, unread };
}

/** Node's internal function that resolves modules, which has no types. */
interface Resolver {
  _resolveFilename(request: string, parent: { readonly filename?: string } | undefined, ...rest: unknown[]): string;
}

/** Resolves names that only the compiler's settings explain to the compiled files. */
function resolveAs(imports: LoadOrder['imports']): void {
  const resolver = Module as unknown as Resolver;
  const before = resolver._resolveFilename.bind(Module);
  resolver._resolveFilename = (request, parent, ...rest) =>
    imports[parent?.filename ?? '']?.[request] ?? before(request, parent, ...rest);
}
