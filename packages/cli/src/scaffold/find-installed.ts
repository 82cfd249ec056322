/** The package managers that are installed on this machine. */
import { PACKAGE_MANAGERS, type PackageManager } from './installers';
import { runProgram } from './run-program';
import type { Shell } from '../terminal/shell';

/** Asks each for its version; one that cannot answer is not offered. */
export async function installedPackageManagers(shell: Shell): Promise<readonly PackageManager[]> {
  const ends = await Promise.all(PACKAGE_MANAGERS.map((name) => runProgram(name, ['--version'], shell)));
  return PACKAGE_MANAGERS.filter((_name, index) => ends[index]?.code === 0);
}
