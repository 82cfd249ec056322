/** How a program that a command started is ended: real processes, and a clock that the test moves. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { ManualClock } from '@sigil-mcp/testing';
import { until } from '../../../../test/support/until';
import { endProcess } from '../../src/session/child-pipe';

/** Milliseconds for each step. */
const STEP = 1500;

const children: ChildProcessWithoutNullStreams[] = [];
afterEach(() => {
  for (const { pid = 0 } of children.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  }
});

/** A program that has begun: it has written a first line. */
async function begun(code: string): Promise<{ child: ChildProcessWithoutNullStreams; line: string }> {
  const child = spawn(process.execPath, ['-e', code], { stdio: 'pipe', detached: true });
  children.push(child);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: chunk.toString().trim() };
}

const endOf = ({ exitCode, signalCode }: ChildProcessWithoutNullStreams): unknown => exitCode ?? signalCode;

it('a program that ends with its input is asked for nothing else', async () => {
  const clock = new ManualClock();
  const { child } = await begun(`process.stdin.resume().on('end', () => process.exit(7)); console.log('begun');`);
  await endProcess(child, clock);
  expect([endOf(child), clock.pending]).toEqual([7, 0]);
});

it('a program that reads no input is asked by SIGTERM, after its time and not before', async () => {
  const clock = new ManualClock();
  const { child } = await begun(
    `process.on('SIGTERM', () => process.exit(8)); setInterval(() => {}, 1000); console.log('begun');`,
  );
  const ended = endProcess(child, clock);
  await clock.advance(STEP - 1);
  expect(endOf(child)).toBeNull();
  await clock.advance(1);
  await ended;
  expect(endOf(child)).toBe(8);
});

it('a program that does not want to end is killed, with the programs that it started', async () => {
  const clock = new ManualClock();
  const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
  const { child, line } = await begun(
    `${stubborn} const { pid } = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(stubborn)}], { stdio: 'ignore' }); console.log(pid);`,
  );
  const ended = endProcess(child, clock);
  await clock.advance(STEP);
  expect(endOf(child)).toBeNull();
  await clock.advance(STEP);
  await ended;
  expect(endOf(child)).toBe('SIGKILL');
  await until(() => !isRunning(Number(line)));
});

it('a program that could not be started needs no end', async () => {
  const child = spawn('/no/such/program');
  child.on('error', () => undefined);
  await endProcess(child, new ManualClock());
  expect(child.pid).toBeUndefined();
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
