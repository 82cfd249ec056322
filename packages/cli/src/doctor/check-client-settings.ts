/** The settings of AI applications in the project: a command in them starts a server over stdio. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { isObject } from '@sigil-mcp/base';
import type { ProjectCheck, ReadSetup } from './read-setup';
import { filesSpeakingStdio } from './check-below-guard';

/** The files of applications that read settings from a project, and the key of the servers in each. */
const FILES = [
  ['.mcp.json', 'mcpServers'],
  ['.cursor/mcp.json', 'mcpServers'],
  ['.vscode/mcp.json', 'servers'],
] as const;

/** Checks that applications do not start this project over stdio if no source of it serves that. */
export const clientSettings: ProjectCheck = {
  title: 'Settings of AI applications name a transport that the project serves',
  *find(setup) {
    const { files, folder } = setup;
    if (files.length === 0 || filesSpeakingStdio(setup).length > 0) return;
    for (const [file, key] of FILES)
      for (const [name, server] of serversOf(setup, file, key)) {
        if (!isObject(server) || typeof server['command'] !== 'string') continue;
        const args = Array.isArray(server['args']) ? server['args'].map(String) : [];
        const words = [server['command'], ...args].map((word) => word.replaceAll('${workspaceFolder}', folder));
        if (startsThisProject(words, folder))
          yield {
            problem: `${file} starts "${name}" with a command, over stdio, but no source of this project serves stdio.`,
            fix: `Put the URL of the server there in place of the command, or serve stdio as well (new StdioTransport()).`,
          };
      }
  },
};

/** The servers in a file of settings, by name; none if it cannot be read. */
function serversOf({ folder, compiler }: ReadSetup, file: string, key: string): [string, unknown][] {
  const path = join(folder, file);
  if (!existsSync(path)) return [];
  // These files may have comments, like those of the compiler.
  const read: { config?: unknown } = compiler.parseConfigFileTextToJson(path, readFileSync(path, 'utf8'));
  const servers = isObject(read.config) ? read.config[key] : undefined;
  return isObject(servers) ? Object.entries(servers) : [];
}

/** Whether a command certainly runs this project over stdio: `sigil dev`, or Node with a file of the project. */
function startsThisProject(words: readonly string[], folder: string): boolean {
  if (words.includes('--http')) return false;
  if (words.some((word) => isAbsolute(word) && relative(folder, word).startsWith('..'))) return false;
  const at = words.findIndex((word) => word === 'sigil' || /@sigil-mcp[\\/]cli[\\/]dist[\\/]main\.js$/.test(word));
  if (at !== -1) return words[at + 1] === 'dev';
  return words[0] === 'node' && words.slice(1).some((word) => existsSync(resolve(folder, word)));
}
