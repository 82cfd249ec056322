/** The exact package manager of a new project, for corepack: the one that its developer has, so that nothing else is downloaded. */
import type { PackageManager } from './installers';
import { runProgram } from './run-program';
import type { Shell } from '../terminal/shell';

/** Those that corepack starts. It does not start npm and bun, and pnpm refuses to work in a project of npm. */
const PINNED: readonly PackageManager[] = ['pnpm', 'yarn'];

/**
 * @returns for example `pnpm@10.1.0`; undefined if it does not have to be pinned, or is not installed
 */
export async function pinnedManager(shell: Shell, name: PackageManager): Promise<string | undefined> {
  if (!PINNED.includes(name)) return undefined;
  const agent = shell.env['npm_config_user_agent'] ?? '';
  const [running = '', version] = agent.split(' ', 1)[0]?.split('/') ?? [];
  const found = running === name ? version : await installedVersion(shell, name);
  return found !== undefined && /^\d+\.\d+\.\d+/.test(found) ? `${name}@${found}` : undefined;
}

async function installedVersion(shell: Shell, name: PackageManager): Promise<string | undefined> {
  const { code, said } = await runProgram(name, ['--version'], shell);
  return code === 0 ? said.trim() : undefined;
}
