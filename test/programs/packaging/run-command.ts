/** Programs run to their end, as a person would on a command line. */
import { execFile } from 'node:child_process';

/** How it ended, and what it said. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The environment of a person's shell, without what jest adds. npm asks the registry for what it does not have, and for nothing
 * else: projects that are installed one after the other need the same.
 */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _env, JEST_WORKER_ID: _worker, npm_config_user_agent: _agent, ...rest } = process.env;
  return { ...rest, npm_config_prefer_offline: 'true' };
}

/** Runs a program and says how it ended. */
export function run(program: string, args: readonly string[], cwd: string, env = plainEnvironment()): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

/** As `run`, for what has to go well. */
export async function runWell(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, cwd);
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}
