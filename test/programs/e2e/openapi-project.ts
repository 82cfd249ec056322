/** A project to which the built `sigil add openapi` adds an API, with the packages of this repository. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sigil } from '../../support/command-line';

const root = join(__dirname, '..', '..', '..');
/** Milliseconds: whole documents take their time on a busy machine. */
const LONGEST = 600_000;

/** What a program left. */
export interface Finished {
  readonly status: number | null;
  /** Both streams. */
  readonly output: string;
}

/** A new project, without an installation. */
export class OpenApiProject {
  readonly folder: string;

  private constructor(readonly top: string) {
    this.folder = join(top, 'shop');
  }

  static async make(...options: readonly string[]): Promise<OpenApiProject> {
    const project = new OpenApiProject(realpathSync(mkdtempSync(join(tmpdir(), 'sigil-openapi-'))));
    const words = ['new', project.folder, '--yes', '--no-install', '--no-git', '--template', 'empty', ...options];
    const { status, stderr } = await sigil(words);
    if (status !== 0) throw new Error(stderr);
    symlinkSync(join(root, 'node_modules'), join(project.folder, 'node_modules'), 'dir');
    return project;
  }

  /** Runs the built command in the project. */
  async sigil(...words: readonly string[]): Promise<Finished> {
    const { status, stdout, stderr } = await sigil(words, { cwd: this.folder });
    return { status, output: `${stdout}${stderr}` };
  }

  /** Runs a program of a package, by its file. */
  tool(file: string, ...words: readonly string[]): Finished {
    const { FORCE_COLOR: _, ...env } = process.env;
    const options = {
      cwd: this.folder,
      env: { ...env, NODE_ENV: 'test' },
      encoding: 'utf8',
      timeout: LONGEST,
      maxBuffer: 1e9,
    } as const;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'node_modules', file), ...words],
      options,
    );
    return { status, output: `${stdout}${stderr}` };
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  /** The text of each TypeScript file that belongs to the API or tests it, by its path. */
  texts(api: string): Readonly<Record<string, string>> {
    const names = [join('src', api), 'test'].flatMap((name) =>
      readdirSync(join(this.folder, name), { encoding: 'utf8', recursive: true }).map((path) => join(name, path)),
    );
    const paths = names.filter((name) => name.endsWith('.ts')).sort();
    return Object.fromEntries(paths.map((path) => [path, readFileSync(join(this.folder, path), 'utf8')]));
  }

  remove(): void {
    rmSync(this.top, { recursive: true, force: true });
  }
}

/** The programs that a project is checked with, by their files. */
export const TSC = join('typescript', 'bin', 'tsc');
/** The native compiler: the same checks in a sixth of the time. */
export const NATIVE_TSC = join('typescript-7', 'bin', 'tsc');
export const ESLINT = join('eslint', 'bin', 'eslint.js');
export const PRETTIER = join('prettier', 'bin', 'prettier.cjs');
export const JEST = join('jest', 'bin', 'jest.js');
