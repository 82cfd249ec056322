/** Files that an application attaches to a conversation. Clients that subscribe are notified of changes. */
import {
  Complete,
  Feature,
  ListTemplate,
  McpContext,
  ProtocolError,
  Resource,
  type ListedResources,
} from '@sigil-mcp/core';
import { Folders } from '../folders/folders';
import { walk } from '../folders/walk';
import { uriOf } from '../folders/watcher';
import { FilePath } from './file';
import { contentsOf } from './read-file';

/** The number of files in a list; clients find the others by completion. */
const LISTED = 1000;
const COMPLETED = 100;

/** Built once per server. Lists and completions cannot ask the client for its roots: they use the folder of the command line. */
@Feature()
export class FileResources {
  constructor(private readonly folders: Folders) {}

  @Resource('files:///{+path}', { title: 'A file', description: 'A file of the folder, as it is now' })
  async file({ path }: FilePath, context: McpContext): Promise<string | Buffer> {
    const found = await this.folders.find(path, context);
    const contents = 'refused' in found ? found : await contentsOf(found.path);
    if (typeof contents === 'object' && 'refused' in contents)
      throw new ProtocolError('resource-not-found', contents.refused, { uri: uriOf(path) });
    return contents;
  }

  @ListTemplate('file')
  async files(): Promise<ListedResources['resources']> {
    const paths = await this.#some(LISTED, () => true);
    return paths.map((path) => ({ uri: uriOf(path), name: path }));
  }

  @Complete('path', 'file')
  pathsLike(typed: string): Promise<string[]> {
    return this.#some(COMPLETED, (path) => path.startsWith(typed));
  }

  async #some(most: number, fits: (path: string) => boolean): Promise<string[]> {
    const paths: string[] = [];
    const { atStart } = this.folders;
    if (atStart === undefined) return paths;
    for await (const path of walk(atStart)) {
      if (fits(path)) paths.push(path);
      if (paths.length === most) break;
    }
    return paths;
  }
}
