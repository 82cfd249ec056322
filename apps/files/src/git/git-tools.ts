/** The history of the folder, for a model. */
import { Feature, McpContext, Tool, ToolFailure } from '@sigil-mcp/core';
import { Folders } from '../folders/folders';
import { Git } from './git';
import { DiffQuery, History, HistoryQuery } from './history';

/** Built once per server. */
@Feature()
export class GitTools {
  constructor(
    private readonly folders: Folders,
    private readonly git: Git,
  ) {}

  @Tool('Lists the commits that changed the folder, or a path in it.', { output: History, readOnly: true })
  async gitLog({ path, limit }: HistoryQuery, context: McpContext): Promise<History> {
    const format = '--format=%H%x1f%an%x1f%aI%x1f%s';
    const text = await this.#run(['log', '-z', '--no-show-signature', `--max-count=${limit}`, format], path, context);
    const commits = text.split('\0').filter((line) => line !== '');
    return {
      commits: commits.map((line) => {
        const [id = '', author = '', date = '', subject = ''] = line.split('\x1f');
        return { id, author, date, subject };
      }),
    };
  }

  @Tool('Shows what has changed in the folder, or in a path in it, as a diff.', { readOnly: true })
  async gitDiff({ from = 'HEAD', path }: DiffQuery, context: McpContext): Promise<string> {
    // Settings may name programs that show files, and git would run them. Nested repositories have their own settings.
    const careful = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];
    const text = await this.#run(['diff', ...careful, '--relative', from], path, context);
    return text === '' ? 'Nothing has changed.' : text;
  }

  async #run(words: readonly string[], path: string, context: McpContext): Promise<string> {
    const found = await this.folders.find(path, context);
    if ('refused' in found) throw new ToolFailure(found.refused);
    // The path comes last: without it git would also show the rest of a repository around the folder.
    return this.git.run(found.root, [...words, '--', found.path], context.signal);
  }
}
