/** What decides where AI applications keep their settings: the system, the user's folders, the environment and the project. */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import type { Place, PlacePath } from './client';

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

/** Every file of the settings on a machine; none where the application does not run. */
export function filesOf({ path }: Place, machine: Machine): readonly string[] {
  const { platform } = machine;
  const found =
    typeof path === 'string' ? path : path[platform === 'darwin' || platform === 'win32' ? platform : 'other'];
  const files = [found ?? []].flat().flatMap((each) => expanded(each, machine));
  const paths = pathsOf(machine);
  const folder = paths.dirname(files.at(-1) ?? '');
  // An application that is there in another form may be there in the last one as well: then it has made its folder.
  const isBoth = files.length === 1 || machine.namesIn(paths.dirname(folder)).includes(paths.basename(folder));
  return isBoth ? files : files.slice(0, -1);
}

/** The paths of a pattern, whose `*` is the rest of a name. */
function expanded(pattern: PlacePath, machine: Machine): readonly string[] {
  const { home, project, env } = machine;
  const paths = pathsOf(machine);
  const whole = (path: string): string =>
    paths.join(
      path.replace(/^(?:\{(\w+):~([^}]*)\}|~|\.)(?=\/)/, (start: string, variable: string = '', below: string = '') =>
        start === '.' ? project : env[variable] || home + below,
      ),
    );
  const [start = '', rest] = pattern.split('*');
  if (rest === undefined) return [whole(start)];
  const folder = paths.dirname(whole(start));
  const names = machine.namesIn(folder).filter((name) => name.startsWith(paths.basename(start)));
  return names.map((name) => paths.join(folder, name + rest));
}

function pathsOf({ platform }: Machine): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
