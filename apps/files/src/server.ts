/** The server's definition: the files and the history of a folder. */
import { createServer, type Server } from '@sigil-mcp/core';
import { FileResources } from './files/file-resources';
import { FileTools } from './files/file-tools';
import { Folders, StartFolder } from './folders/folders';
import { Watcher } from './folders/watcher';
import { Git } from './git/git';
import { GitTools } from './git/git-tools';

/** @param folder the folder to serve; the roots of the client if left out */
export function filesServer(folder?: string): Server {
  return createServer({
    name: 'files',
    version: '0.1.0',
    title: 'Files and git',
    strict: true,
    toolTimeout: 30_000,
    features: [FileTools, FileResources, GitTools],
    providers: [Folders, Watcher, Git, { provide: StartFolder, useValue: new StartFolder(folder) }],
  });
}

/** The instance that `sigil inspect` and `sigil dev` read. */
export const server = filesServer(process.env['FILES_FOLDER']);
