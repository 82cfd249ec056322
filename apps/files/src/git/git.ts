/** Runs git as a process of its own: no shell reads text from a model. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ToolFailure } from '@sigil-mcp/core';

const run = promisify(execFile);

/** Paths are taken literally. */
const CAREFUL = ['--no-pager', '--literal-pathspecs'];

/** The settings of a repository come from its author and may name programs: git starts none of them and fetches nothing. */
const OWN_SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'log.showSignature': 'false',
};
const NOTHING_FETCHED = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' };

/** Settings of filter programs, which .gitattributes selects by name. */
const FILTER = /^filter\..*\.(clean|smudge|process|required)$/is;

/** Built once per server. */
export class Git {
  /** @returns the output of git. @throws ToolFailure with git's error message */
  async run(folder: string, words: readonly string[], signal: AbortSignal): Promise<string> {
    const names = await this.#start(folder, ['config', '--list', '--name-only', '-z'], { settings: {}, signal });
    const filters = names.split('\0').filter((name) => FILTER.test(name));
    const off = filters.map((name): [string, string] => [name, name.endsWith('.required') ? 'false' : '']);
    return this.#start(folder, words, { settings: { ...OWN_SETTINGS, ...Object.fromEntries(off) }, signal });
  }

  async #start(
    folder: string,
    words: readonly string[],
    { settings, signal }: { readonly settings: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ): Promise<string> {
    // Variables such as GIT_DIR would lead git to another repository.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
    const env = {
      ...Object.fromEntries(own),
      ...NOTHING_FETCHED,
      ...asVariables(settings),
      GIT_OPTIONAL_LOCKS: '0',
      LC_ALL: 'C',
    };
    try {
      const { stdout } = await run('git', [...CAREFUL, ...words], { cwd: folder, env, signal, maxBuffer: 1024 * 1024 });
      return stdout;
    } catch (error) {
      signal.throwIfAborted();
      const { code, stderr = '' } = error as { code?: unknown; stderr?: string }; // as execFile documents it
      if (code === 'ENOENT') throw new ToolFailure('There is no git on this machine.', { cause: error });
      if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        throw new ToolFailure('The output is too long. Name a path.', { cause: error });
      throw new ToolFailure(`Git says: ${stderr.trim().split('\n')[0] || 'nothing'}`, { cause: error });
    }
  }
}

/** Settings that override all others, with any characters in their names. */
function asVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const each = Object.entries(settings).flatMap(([name, value], at): [string, string][] => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { ...Object.fromEntries(each), GIT_CONFIG_COUNT: String(Object.keys(settings).length) };
}
