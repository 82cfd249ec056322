/** What decides where AI applications keep their settings: the system, the user's folders, the environment and the project. */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** A machine. Tests describe those of other systems. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The home folder of the user. */
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the project that settings of the scope `project` belong to. */
  readonly project: string;
  /** The names in a folder; none if it is not there. */
  readonly namesIn: (folder: string) => readonly string[];
}

/** This machine. @param env of the command @param project the folder of the project */
export function thisMachine(env: NodeJS.ProcessEnv, project: string): Machine {
  return { platform: process.platform, home: homedir(), env, project, namesIn };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A path in the home folder. */
export function inHome(machine: Machine, ...parts: string[]): string {
  return pathsOf(machine).join(machine.home, ...parts);
}

/** A path in the project. */
export function inProject(machine: Machine, ...parts: string[]): string {
  return pathsOf(machine).join(machine.project, ...parts);
}

/** A path in a folder that a variable of the environment may name. @param otherwise parts of the path in the home folder */
export function inNamedFolder(
  machine: Machine,
  { variable, otherwise }: { readonly variable: string; readonly otherwise: readonly string[] },
  ...parts: string[]
): string {
  const folder = machine.env[variable] || inHome(machine, ...otherwise);
  return pathsOf(machine).join(folder, ...parts);
}

/** A path in the folder where Windows keeps the settings of programs. */
export function inAppData(machine: Machine, ...parts: string[]): string {
  return inNamedFolder(machine, { variable: 'APPDATA', otherwise: ['AppData', 'Roaming'] }, ...parts);
}

/**
 * Paths in the folders of an application that Windows has installed as a package: its settings are there, and not in the folder of other
 * programs.
 * @param name the name of the package, which its publisher's id follows
 * @see https://learn.microsoft.com/windows/msix/desktop/desktop-to-uwp-behind-the-scenes
 */
export function inPackages(machine: Machine, name: string, ...parts: string[]): string[] {
  const packages = inNamedFolder(machine, { variable: 'LOCALAPPDATA', otherwise: ['AppData', 'Local'] }, 'Packages');
  return machine
    .namesIn(packages)
    .filter((folder) => folder.startsWith(`${name}_`))
    .map((folder) => pathsOf(machine).join(packages, folder, 'LocalCache', 'Roaming', ...parts));
}

function pathsOf({ platform }: Machine): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
