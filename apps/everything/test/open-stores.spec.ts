/** What a process says that cannot reach the Redis which it was given. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '..', 'dist', 'main.js');

/** Runs the server to its end. */
async function runWith(port: number): Promise<{ readonly code: number; readonly said: string }> {
  const env = { ...process.env, PORT: '0', REDIS_URL: `redis://127.0.0.1:${port}` };
  const child = spawn(process.execPath, [PROGRAM, '--http'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

describe('a Redis that is not there', () => {
  let silent: Server;
  let port: number;
  beforeEach(async () => {
    silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    ({ port } = silent.address() as AddressInfo);
  });
  afterEach(() => silent.close());

  it('ends a process at once where nobody listens', async () => {
    silent.close();
    await once(silent, 'close');
    const { code, said } = await runWith(port);
    expect([code, said]).toEqual([1, expect.stringContaining(`The Redis at 127.0.0.1:${port} cannot be reached`)]);
  });

  it('ends a process after a while where it says nothing', async () => {
    const { code, said } = await runWith(port);
    expect([code, said]).toEqual([1, expect.stringContaining('it has said nothing for 3000 ms')]);
  });
});
