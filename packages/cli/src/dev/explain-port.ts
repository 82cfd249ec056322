/** Why a port cannot be used, and one that can. */
import { codeOf, reasonOf } from '../failure';
import { freePortAfter } from './wait-for-port';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';

/** Milliseconds for `lsof`, which looks at every process. */
const PATIENCE = 2000;

/** The state LISTEN in /proc/net/tcp. */
const LISTEN = '0A';

/** A process. */
interface PortOwner {
  readonly pid: number;
  /** The name of its program, such as `node`. */
  readonly name: string;
}

/** The parameters of SIGIL_DEV_PORT. @param error of the system */
export async function explainPort(
  error: unknown,
  port: number,
  host: string,
): Promise<{ readonly reason: string; readonly free: number }> {
  const free = await freePortAfter(port, host).catch(() => freePortAfter(port, '127.0.0.1'));
  if (codeOf(error) !== 'EADDRINUSE') return { reason: reasonOf(error), free };
  const owner = await findPortOwner(port);
  return { reason: owner ? `${owner.name} (process ${owner.pid}) uses it` : 'another process uses it', free };
}

/** Finds the process; undefined if the system does not name it, for example because another user started it. */
async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  try {
    return process.platform === 'linux' ? findInProc(port) : await askLsof(port);
  } catch {
    return undefined; // the message is complete without it
  }
}

function findInProc(port: number): PortOwner | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => socketsIn(file, port)));
  if (sockets.size === 0) return undefined;
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, sockets));
  return pid === undefined ? undefined : { pid: Number(pid), name: programOf(pid) };
}

/** Its first word, because the name that the system has for a process is the one of a thread. */
function programOf(pid: string): string {
  const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return basename(program);
}

/** The sockets that listen on the port, as the links of open files name them. */
function socketsIn(file: string, port: number): string[] {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(end) && state === LISTEN)
    .map((columns) => `socket:[${columns[9] ?? ''}]`);
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`)));
  } catch {
    return false; // it has ended, or belongs to another user
  }
}

/** On macOS and BSD. */
async function askLsof(port: number): Promise<PortOwner | undefined> {
  const { stdout } = await promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
    timeout: PATIENCE,
  });
  const [, pid] = /^p(\d+)$/m.exec(stdout) ?? [];
  const [, name] = /^c(.+)$/m.exec(stdout) ?? [];
  return pid === undefined || name === undefined ? undefined : { pid: Number(pid), name };
}
