/** A project to which tools of a document are added, within a test. */
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runCaptured, type Said } from '../../../test/support/captured-cli';
import { filesUnder, TemporaryFolders, write } from '../../../test/support/temporary-folder';

/** The native compiler: the same checks in a sixth of the time. */
const TSC = join(__dirname, '..', '..', '..', 'node_modules', 'typescript-7', 'bin', 'tsc');

/** Settings of a project of which `compile` writes nothing. */
export const CHECKED = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      ...{ target: 'es2022', module: 'node20', types: ['node'], strict: true, skipLibCheck: true, noEmit: true },
      ...{ experimentalDecorators: true, emitDecoratorMetadata: true },
    },
    include: ['src'],
  }),
};

const folders = new TemporaryFolders();
/** For `afterEach`. */
export const removeProjects = (): void => folders.removeAll();

const SERVER = `import { createServer } from '@sigil-mcp/core';

export const server = createServer({ name: 'x', version: '1.0.0', features: [] });
`;

/** A document with these paths and components. */
export const documentOf = (paths: object, more: object = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://shop.example/v1' }],
    paths,
    ...more,
  });

/** An operation that answers with text. */
export const operation = (more: object = {}): object => ({
  responses: { 200: { content: { 'text/plain': {} } } },
  ...more,
});

/** An operation that answers with JSON. */
export const answering = (schema: object, more: object = {}): object => ({
  ...more,
  responses: { 200: { content: { 'application/json': { schema } } } },
});

/** The project. */
export class OpenApiProject {
  readonly folder: string;

  /** @param files more than the server, such as the document */
  constructor(files: Readonly<Record<string, string>> = {}) {
    this.folder = folders.make({ 'package.json': '{}', 'src/server.ts': SERVER, ...files });
    symlinkSync(join(__dirname, '..', '..', '..', 'node_modules'), join(this.folder, 'node_modules'), 'dir');
  }

  /** `sigil add openapi` in the folder of the project. */
  async add(...words: string[]): Promise<Said> {
    const spy = jest.spyOn(process, 'cwd').mockReturnValue(this.folder);
    try {
      return await runCaptured('add', 'openapi', ...words);
    } finally {
      spy.mockRestore();
    }
  }

  /** The same, for a document that is written first. @throws if it fails */
  async addDocument(text: string, ...words: string[]): Promise<string> {
    this.write('api.json', text);
    const { status, stdout, stderr } = await this.add('api.json', ...words);
    if (status !== 0) throw new Error(stderr);
    return stdout;
  }

  /** Compiles it. @returns the errors */
  compile(): string {
    return spawnSync(process.execPath, [TSC, '-p', this.folder], { encoding: 'utf8' }).stdout;
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  write(path: string, text: string): void {
    write(this.folder, { [path]: text });
  }

  /** Replaces a text that is there in a file. */
  edit(path: string, before: string | RegExp, after: string): void {
    const text = this.read(path);
    const changed = text.replace(before, after);
    if (changed === text) throw new Error(`${path} has no ${String(before)}`);
    this.write(path, changed);
  }

  /** The written files. */
  files(): string[] {
    return filesUnder(join(this.folder, 'src')).map((path) => `src/${path}`);
  }

  /** The text of a class of the written files. */
  classText(name: string): string {
    const all = this.files()
      .filter((path) => path.startsWith('src/shop/'))
      .map((path) => this.read(path))
      .join('\n');
    return (
      new RegExp(`export class ${name} \\{\\n([^]*?)\\n\\}`).exec(all)?.[1]?.replace(/\n\s*/g, ' ').trim() ??
      `no ${name}`
    );
  }
}
