/** The programs that the build leaves. */
import { join } from 'node:path';

/** The built program of an app. */
export function builtApp(app: string, program = 'main.js'): string {
  return join(__dirname, '..', '..', '..', 'apps', app, 'dist', program);
}

/** Whether a process is still there. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
