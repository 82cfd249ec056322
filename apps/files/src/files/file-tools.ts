/** Tools that let a model read files. */
import { embedded, Feature, McpContext, Tool, ToolFailure } from '@sigil-mcp/core';
import { Folders } from '../folders/folders';
import { walk } from '../folders/walk';
import { uriOf } from '../folders/watcher';
import { FilePath, FileSearch, FoundFiles } from './file';
import { contentsOf } from './read-file';

/** Built once per server. */
@Feature()
export class FileTools {
  constructor(private readonly folders: Folders) {}

  @Tool('Finds files by a part of their path.', { output: FoundFiles, readOnly: true })
  async findFiles({ text = '', limit }: FileSearch, context: McpContext): Promise<FoundFiles> {
    const files: string[] = [];
    for (const folder of await this.folders.of(context)) {
      for await (const path of walk(folder)) {
        context.signal.throwIfAborted();
        if (!path.toLowerCase().includes(text.toLowerCase())) continue;
        if (files.length === limit) return { files, more: true };
        files.push(path);
      }
    }
    return { files, more: false };
  }

  @Tool('Returns the contents of a file.', { readOnly: true })
  async readFile({ path }: FilePath, context: McpContext): Promise<unknown> {
    const found = await this.folders.find(path, context);
    const contents = 'refused' in found ? found : await contentsOf(found.path);
    if (typeof contents === 'object' && 'refused' in contents) throw new ToolFailure(contents.refused);
    return typeof contents === 'string' ? contents : embedded({ uri: uriOf(path), blob: contents });
  }
}
