/** The ports of servers: one that is free, the wait until a server listens on one, and who uses one that is taken. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sigilError } from '@sigil-mcp/core/adapter';
import { commandError } from '../errors/errors';
import { codeOf, reasonOf } from '../failure';
import { describeEnd, type ChildServer } from './child-server';

const LOOPBACK = '127.0.0.1';

/** How many ports after a taken one are tried. */
const NEAR = 20;

/** The first port that every user may listen on. */
const FIRST_OF_USERS = 1024;

/** Milliseconds for a server to start listening. */
const STARTING = 30_000;

/** @throws SigilError if the server ends, or listens elsewhere */
export async function waitForPort(port: number, child: ChildServer): Promise<void> {
  const deadline = Date.now() + STARTING;
  while (!(await isListening(port))) {
    if (child.hasEnded) throw commandError(await codeOfEnd(child), { how: describeEnd(await child.ended) });
    if (Date.now() > deadline) throw commandError('SIGIL_DEV_OTHER_PORT', { port });
    await pause(30);
  }
}

/** A server for stdin ends normally, because its stdin is empty; every other end has another reason. */
async function codeOfEnd(child: ChildServer): Promise<'SIGIL_DEV_ENDED' | 'SIGIL_DEV_NOT_HTTP'> {
  const { code } = await child.ended;
  return code === 0 ? 'SIGIL_DEV_NOT_HTTP' : 'SIGIL_DEV_ENDED';
}

/** A port soon after one that is taken, or any, which was free a moment ago. */
async function freePortAfter(port: number, host: string): Promise<number> {
  for (let next = Math.max(port + 1, FIRST_OF_USERS); next <= port + NEAR; next += 1) {
    const free = await freePort(next, host).catch(() => undefined);
    if (free !== undefined) return free;
  }
  return freePort();
}

/**
 * A port that was free a moment ago.
 * @param port the only one that may be the result; any if left out
 * @throws Error of the system if this port is taken
 */
export function freePort(port = 0, host = LOOPBACK): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(port, host, () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address
          ? resolve(address.port)
          : reject(sigilError('SIGIL_INTERNAL', { what: 'a server listens on no port' })),
      );
    });
  });
}

/** Whether a server listens on a port of this machine. */
function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, LOOPBACK)
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .on('error', () => resolve(false));
  });
}

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
