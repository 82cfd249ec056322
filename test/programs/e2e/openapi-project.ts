/** A project to which the built `sigil add openapi` adds an API, with the packages of this repository. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const program = join(root, 'packages', 'cli', 'dist', 'main.js');
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

  constructor(...options: readonly string[]) {
    this.folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'sigil-openapi-'))), 'shop');
    const words = ['new', this.folder, '--yes', '--no-install', '--no-git', '--template', 'empty', ...options];
    const { status, output } = this.#run([program, ...words], root);
    if (status !== 0) throw new Error(output);
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'), 'dir');
  }

  /** Runs the built command in the project. */
  sigil(...words: readonly string[]): Finished {
    return this.#run([program, ...words], this.folder);
  }

  /** Runs a program of a package, by its file. */
  tool(file: string, ...words: readonly string[]): Finished {
    return this.#run([join(root, 'node_modules', file), ...words], this.folder);
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text);
  }

  remove(): void {
    rmSync(join(this.folder, '..'), { recursive: true, force: true });
  }

  #run(args: readonly string[], cwd: string): Finished {
    const { FORCE_COLOR: _, ...env } = process.env;
    const options = {
      cwd,
      env: { ...env, NODE_ENV: 'test' },
      encoding: 'utf8',
      timeout: LONGEST,
      maxBuffer: 1e9,
    } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    return { status, output: `${stdout}${stderr}` };
  }
}

/** The programs that a project is checked with, by their files. */
export const TSC = join('typescript', 'bin', 'tsc');
export const ESLINT = join('eslint', 'bin', 'eslint.js');
export const PRETTIER = join('prettier', 'bin', 'prettier.cjs');
export const JEST = join('jest', 'bin', 'jest.js');
