/** The error of a process that cannot reach its Redis. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '..', 'dist', 'main.js');

/** Runs the server until it exits. */
async function runWith(port: number): Promise<{ readonly code: number; readonly said: string }> {
  const env = { ...process.env, PORT: '0', REDIS_URL: `redis://127.0.0.1:${port}` };
  const child = spawn(process.execPath, [PROGRAM, '--http'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

describe('a Redis that cannot be reached', () => {
  let silent: Server;
  let port: number;
  beforeEach(async () => {
    silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    ({ port } = silent.address() as AddressInfo);
  });
  afterEach(() => silent.close());

  it('ends a process at once if no server listens', async () => {
    silent.close();
    await once(silent, 'close');
    const { code, said } = await runWith(port);
    expect([code, said]).toEqual([1, expect.stringContaining(`The Redis at 127.0.0.1:${port} cannot be reached`)]);
  });

  it('ends a process after the timeout if Redis does not answer', async () => {
    const { code, said } = await runWith(port);
    expect([code, said]).toEqual([1, expect.stringContaining('no answer within 3000 ms')]);
  });
});
