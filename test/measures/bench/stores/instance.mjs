/** A built app as one of several instances over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs until it is stopped. */
export class Instance {
  static async start(app, env) {
    const program = fileURLToPath(new URL(`../../../../apps/${app}/dist/main.js`, import.meta.url));
    const whole = { ...process.env, PORT: '0', HOST: '127.0.0.1', ...env };
    const child = spawn(process.execPath, [program, '--http'], { env: whole, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    for await (const text of child.stderr) {
      said += text;
      const url = /http:\/\/[^"\s]+/.exec(said)?.[0];
      if (url !== undefined) return new Instance(child, url);
    }
    throw new Error(`${app} has ended: ${said}`);
  }

  constructor(child, url) {
    this.child = child;
    this.url = url;
    // What nobody reads would stop it.
    child.stderr.resume();
  }

  async stop() {
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}
