/** The line that names what a command waits for. */
import { PassThrough } from 'node:stream';
import { ManualClock } from '@sigil-mcp/testing';
import { Shell } from '../src/terminal/shell';
import { StatusLine } from '../src/terminal/status-line';
import { Screen } from '../../../test/programs/e2e/terminal';

function open(isTTY: boolean): { status: StatusLine; clock: ManualClock; screen: Screen } {
  const clock = new ManualClock();
  const screen = new Screen(80);
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 });
  stream.write = (text: unknown) => {
    screen.write(String(text));
    return true;
  };
  return { status: new StatusLine(new Shell({ stderr: stream, env: {} }), clock), clock, screen };
}

it('names a wait of more than a second, counts its seconds, and goes when it ends', async () => {
  const { status, clock, screen } = open(true);
  let end = (): void => undefined;
  const waiting = status.whileWaiting('Compiling', () => new Promise<void>((resolve) => (end = resolve)));
  await clock.advance(999);
  expect(screen.text).toBe('');
  await clock.advance(1);
  expect(screen.text).toBe('Compiling … 1 s');
  await clock.advance(2000);
  expect(screen.text).toBe('Compiling … 3 s');
  status.print('A line of the server');
  expect(screen.text).toBe('A line of the server\nCompiling … 3 s');
  end();
  await waiting;
  expect(screen.text).toBe('A line of the server');
});

it('gives way to the progress that a server reports', async () => {
  const { status, clock, screen } = open(true);
  let end = (): void => undefined;
  const waiting = status.whileWaiting('Waiting', () => new Promise<void>((resolve) => (end = resolve)));
  await clock.advance(1000);
  status.progress({ progress: 2, total: 4 });
  await clock.advance(3000);
  expect(screen.text).toContain('50 %');
  expect(screen.text).not.toContain('Waiting');
  end();
  await waiting;
});

it('writes nothing without a terminal', async () => {
  const { status, clock, screen } = open(false);
  let end = (): void => undefined;
  const waiting = status.whileWaiting('Compiling', () => new Promise<void>((resolve) => (end = resolve)));
  await clock.advance(5000);
  end();
  await waiting;
  expect(screen.text).toBe('');
});
