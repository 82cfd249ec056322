/** The tools of a project's server, stored when a command lists them: a completion cannot wait for a server to start. */
import { dirname, join } from 'node:path';
import type { Tool } from '@sigil-mcp/protocol';
import { SchemaView } from '../arguments/json-schema';
import { readObject } from '../json-object';
import { cacheOf, modulesOf } from '../project/compile-project';
import type { ServerTarget } from '../targets/target';
import { writeFiles } from '../write-files';

/** The names of the arguments of each tool. */
export type RememberedTools = Readonly<Record<string, readonly string[]>>;

/** Stores the tools of a server, if it is the server of a project. Without a writable folder, nothing is stored. */
export function storeTools(target: ServerTarget, tools: readonly Tool[]): void {
  if (target.kind !== 'command' || target.file === undefined) return;
  const known = tools.map(({ name, inputSchema }) => [name, [...SchemaView.of(inputSchema).properties.keys()]]);
  const folder = dirname(target.file);
  try {
    const contents = JSON.stringify(Object.fromEntries(known));
    writeFiles([{ path: pathIn(folder), contents }], { within: modulesOf(folder) });
  } catch {
    // The completion has no tools then.
  }
}

/** The tools of the project around a folder; none if no command has listed them. */
export function knownTools(folder: string): RememberedTools {
  const tools = Object.entries(readObject(pathIn(folder)));
  return Object.fromEntries(tools.map(([name, names]) => [name, textsIn(names)]));
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function pathIn(folder: string): string {
  return join(cacheOf(folder), 'tools.json');
}
