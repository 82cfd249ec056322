/** Git, started as a program of its own: no shell reads what a model wrote. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ToolFailure } from '@sigil-mcp/core';

const run = promisify(execFile);

/** Paths mean themselves, and git starts no other program of its own accord. */
const CAREFUL = ['--no-pager', '--literal-pathspecs', '-c', 'core.fsmonitor=false'];

/** Built once per server. */
export class Git {
  /** @returns what it prints. @throws ToolFailure with what it says is wrong */
  async run(folder: string, words: readonly string[], signal: AbortSignal): Promise<string> {
    // Variables such as GIT_DIR would lead it to another repository.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
    const env = { ...Object.fromEntries(own), GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
    try {
      const { stdout } = await run('git', [...CAREFUL, ...words], { cwd: folder, env, signal, maxBuffer: 1024 * 1024 });
      return stdout;
    } catch (error) {
      signal.throwIfAborted();
      const { code, stderr = '' } = error as { code?: unknown; stderr?: string }; // as execFile documents it
      if (code === 'ENOENT') throw new ToolFailure('There is no git on this machine.', { cause: error });
      if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        throw new ToolFailure('That is too much. Name a path.', { cause: error });
      throw new ToolFailure(`Git says: ${stderr.trim().split('\n')[0] || 'nothing'}`, { cause: error });
    }
  }
}
