/** A small project in the making: sources that a test edits, and `sigil dev` that follows. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

/** The command line, built. */
export const CLI = join(root, 'packages', 'cli', 'dist', 'main.js');

const CONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023'],
    module: 'node20',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

const MAIN = `import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { HttpTransport } from '@sigil-mcp/fastify';
import { server } from './server';

void server.listen(process.argv.includes('--http') ? new HttpTransport() : new StdioTransport());
`;

const SERVER = `import { setTimeout as delay } from 'node:timers/promises';
import { createServer, Feature, McpContext, Resource, Title, Tool } from '@sigil-mcp/core';
import { IsString } from 'class-validator';

class Name {
  @Title('Name')
  @IsString()
  name!: string;
}

@Feature()
export class Versions {
  @Tool('Tells the version')
  async version(): Promise<string> {
    await delay(20);
    return 'version 0';
  }

  @Tool('Takes longer than anybody waits')
  async sleep(): Promise<string> {
    console.error('asleep');
    await delay(600_000);
    return 'awake';
  }

  @Tool('Asks for a name')
  async greet(context: McpContext): Promise<string> {
    const answer = await context.elicit(Name, 'Name?');
    return answer.action === 'accept' ? \`Hello, \${answer.content.name}, from version 0\` : answer.action;
  }

  @Resource('versions://now')
  now(): string {
    return 'version 0';
  }
}

export const server = createServer({ name: 'versions', version: '1.0.0', features: [Versions], logger: 'warn' });
`;

/** A project in a folder of its own, within the repository so that it finds the packages. */
export class DevProject {
  readonly folder: string;
  readonly #server: string;

  constructor() {
    const parent = join(root, '.sigil');
    mkdirSync(parent, { recursive: true });
    this.folder = mkdtempSync(join(parent, 'dev-'));
    mkdirSync(join(this.folder, 'src'));
    this.#server = join(this.folder, 'src', 'server.ts');
    writeFileSync(join(this.folder, 'package.json'), '{ "name": "versions", "version": "1.0.0", "private": true }\n');
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify(CONFIG));
    writeFileSync(join(this.folder, 'src', 'main.ts'), MAIN);
    writeFileSync(this.#server, SERVER);
  }

  /** Says another version from now on. */
  edit(version: number, extra = ''): void {
    const text = readFileSync(this.#server, 'utf8').replace(/\n\/\/ extra[\s\S]*$/, '\n');
    writeFileSync(this.#server, `${text.replaceAll(/version \d+/g, `version ${version}`)}\n// extra\n${extra}\n`);
  }

  /** Starts `sigil dev` over HTTP. */
  serve(port: number, args: readonly string[] = []): ChildProcess {
    return spawn(process.execPath, [CLI, 'dev', '--http', '--port', String(port), ...args], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  remove(): void {
    // What was killed may still be writing.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20 });
  }
}
