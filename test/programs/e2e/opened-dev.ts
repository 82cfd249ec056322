/** `sigil dev` over HTTP with its page, and a reader of the events that the page receives. */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';
import { DevProject } from './dev-project';

/** A running `sigil dev`. */
export class OpenedDev {
  stderr = '';
  private constructor(
    readonly project: DevProject,
    readonly process: ChildProcess,
    readonly port: number,
  ) {
    process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Starts it, and waits for the first version. */
  static async start(server: string): Promise<OpenedDev> {
    const [project, port] = [new DevProject(), await freePort()];
    // Before the program looks: otherwise this is a change, and makes a second version.
    writeFileSync(join(project.folder, 'src', 'server.ts'), server);
    const dev = new OpenedDev(project, project.serve(port), port);
    await dev.sees(/version 1 ready/);
    return dev;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  write(server: string): void {
    writeFileSync(join(this.project.folder, 'src', 'server.ts'), server);
  }

  async sees(pattern: RegExp): Promise<string> {
    let found: RegExpExecArray | null = null;
    await until(() => (found = pattern.exec(this.stderr)) !== null, 60_000);
    return (found as unknown as RegExpExecArray)[1] ?? '';
  }

  url(): Promise<string> {
    return this.sees(/page: (http\S+)/);
  }

  async end(): Promise<void> {
    this.process.kill();
    if (this.process.exitCode === null) await new Promise((resolve) => this.process.once('exit', resolve));
    this.project.remove();
  }
}

/** Everything that a page receives, as text. */
export class ReceivedEvents {
  text = '';
  readonly #sent;

  /** @param url of the page */
  constructor(url: string) {
    const { hostname, port, hash } = new URL(url);
    const headers = { 'x-sigil-key': hash.slice(1) };
    this.#sent = request({ host: hostname, port, path: '/__sigil/api/events', headers }).on('error', () => undefined);
    this.#sent.on('response', (response) => {
      response.setEncoding('utf8').on('data', (piece: string) => (this.text += piece));
    });
    this.#sent.end();
  }

  /** The messages so far. */
  get messages(): readonly { readonly from: string; readonly text: string; readonly seq: number }[] {
    return [...this.text.matchAll(/^event: traffic\ndata: (.*)\n\n/gm)].flatMap(
      ([, data]) => (JSON.parse(data ?? '') as { entries: [] }).entries,
    );
  }

  close(): void {
    this.#sent.destroy();
  }
}
