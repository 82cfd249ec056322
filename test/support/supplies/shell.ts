/** The shells that a machine has. */
import { spawnSync } from 'node:child_process';

/** Whether a shell is installed. */
export function hasShell(name: 'fish' | 'zsh'): boolean {
  return spawnSync(name, ['--version']).status === 0;
}
