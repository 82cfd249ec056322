/** Nothing but protocol on stdout, from the first line of a program on. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { guardStdout } from '../src/transports/stdio/guard-stdout';

describe.each(['guarded.cjs', 'guarded.mjs'])('a program guarded in its first line (%s)', (program) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(__dirname, 'fixtures', program)], {
    encoding: 'utf8',
  });

  it('writes to stdout only what goes the way of the protocol [STDIO-002]', () => {
    expect({ stdout, status }).toEqual({ stdout: '{"protocol":true}\n', status: 0 });
  });

  it('finds on stderr what it printed elsewhere [STDIO-003]', () => {
    for (const text of ['while loading', 'a stray write', 'hex', 'console.info', 'a group', 'a stray end']) {
      expect(stderr).toContain(text);
    }
  });

  it('has the callbacks of its writes called', () => {
    for (const kind of ['a stray write', 'a stray end', 'the real write'])
      expect(stderr).toContain(`the callback of ${kind}`);
  });
});

describe('guardStdout', () => {
  it('lets the protocol through though somebody corks stdout, before it or after', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    let text = '';
    stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    stdout.cork();
    const real = guardStdout(stdout as never, stderr as never);
    stdout.cork();
    expect(real('protocol')).toBe(true);
    await new Promise(setImmediate);
    expect(text).toBe('protocol');
    stdout.uncork();
  });

  it('honours encodings, bytes and callbacks on their way to stderr, and returns what stderr says', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough({ highWaterMark: 4 })];
    // Two streams stand for those of a process: only `write` and `end` are used.
    const real = guardStdout(stdout as never, stderr as never);
    const called: string[] = [];
    expect(stdout.write('00', 'hex', () => called.push('hex'))).toBe(true);
    expect(stdout.write(Buffer.from('b'), () => called.push('bytes'))).toBe(true);
    expect(stdout.write('full')).toBe(false);
    stdout.end(() => called.push('end'));
    expect(real('protocol')).toBe(true);
    await new Promise(setImmediate);
    expect(called).toEqual(expect.arrayContaining(['hex', 'end']));
    expect(String(stderr.read())).toBe('\0bfull');
    expect(String(stdout.read())).toBe('protocol');
    expect(stdout.writableEnded).toBe(false);
  });
});
