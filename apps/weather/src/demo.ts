/** `npm run demo`: spawns the weather server as an AI application does, and prints the messages. */
import { join } from 'node:path';
import { LineClient } from './demo/line-client';
import { complain, heading, heard, item } from './demo/print';
import { SCENES, showConfiguration } from './demo/scenes';

const file = join(__dirname, 'main.js');

void demonstrate().catch((error: unknown) => {
  complain(error);
  process.exitCode = 1;
});

async function demonstrate(): Promise<void> {
  heading('The weather server over stdio, as an AI application runs it');
  item('command', `node ${file}`);
  const client = new LineClient(file, heard);
  try {
    for (const scene of SCENES) await scene(client);
    const code = await client.close();
    heading("9. Leave: the client closes the server's input");
    item('exit code', String(code));
    if (code !== 0) throw new Error(`The server ended with exit code ${code}.`);
  } finally {
    client.kill();
  }
  showConfiguration(file);
}
