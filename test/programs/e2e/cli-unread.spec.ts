/** The programs when nobody reads what they say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const main = (name: string): string => join(__dirname, '..', '..', '..', 'packages', name, 'dist', 'main.js');

it.each(['cli', 'create'])('the program of packages/%s ends as it would have if it was read', async (name) => {
  const child = spawn(process.execPath, [main(name), '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
