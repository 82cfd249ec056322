/** Projects on MCP-Nest in folders of their own: with their packages, moved by the built command, compiled with all types. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { libraryHost, type Declarations } from '../../../support/library-host';

const root = join(__dirname, '..', '..', '..', '..');
const command = join(root, 'packages', 'cli', 'dist', 'main.js');
const folders: string[] = [];
const declarations: Declarations = new Map();

/** Folders that have a version of Nest. */
const NESTS = {
  '11': join(root, 'packages', 'nest', 'node_modules', '@nestjs'),
  '12': join(root, 'node_modules', '@nestjs'),
} as const;

/** Removes all projects. */
export function removeProjects(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A project of this folder as it was before: one page has all of its files, each under its path. */
export function openProject(name: string, nest: keyof typeof NESTS): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-moved-')));
  folders.push(folder);
  const page = readFileSync(join(__dirname, `${name}.project.md`), 'utf8').replaceAll('\r\n', '\n');
  for (const [, path, text] of page.matchAll(/^## (\S+)\n\n````\w+\n([\s\S]*?)^````$/gm)) {
    const target = join(folder, path!);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text!);
  }
  linkPackages(join(folder, 'node_modules'), nest);
  return folder;
}

function linkPackages(modules: string, nest: keyof typeof NESTS): void {
  for (const scope of ['@nestjs', '@sigil-mcp', '@rekog', '@types', '@modelcontextprotocol'])
    mkdirSync(join(modules, scope), { recursive: true });
  for (const name of readdirSync(NESTS[nest])) symlinkSync(join(NESTS[nest], name), join(modules, '@nestjs', name));
  for (const name of readdirSync(join(root, 'packages')).filter((each) => each !== 'nest'))
    symlinkSync(join(root, 'packages', name), join(modules, '@sigil-mcp', name));
  // Copies, because links would find the Nest of the repository.
  const own = join(modules, '@sigil-mcp', 'nest');
  mkdirSync(own);
  for (const name of ['package.json', 'dist'])
    cpSync(join(root, 'packages', 'nest', name), join(own, name), { recursive: true });
  const shared = ['class-validator', 'class-transformer', 'reflect-metadata', 'rxjs', 'zod', 'typescript'];
  const types = ['node', 'express', 'express-serve-static-core', 'serve-static', 'qs', 'range-parser', 'send', 'mime'];
  const others = [
    '@rekog/mcp-nest',
    '@modelcontextprotocol/sdk',
    '@modelcontextprotocol/server',
    '@modelcontextprotocol/core',
  ];
  for (const name of [...shared, ...types.map((each) => `@types/${each}`), ...others]) {
    const found = join(root, 'node_modules', name);
    if (readableFolder(found)) symlinkSync(found, join(modules, name));
  }
}

function readableFolder(path: string): boolean {
  try {
    return readdirSync(path).length > 0;
  } catch {
    return false;
  }
}

/** Runs the command in a project. */
export function migrate(folder: string, from: 'mcp-nest' | 'nestjs-mcp' = 'mcp-nest'): string {
  const args = [command, 'migrate', from, folder, '--write'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`sigil migrate ended with ${String(status)}: ${stdout}${stderr}`);
  return stdout;
}

/** Compiles a project with its own settings. @returns what the compiler has to say of its types; nothing for a sound project */
export function compile(folder: string): string[] {
  const path = join(folder, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, options, libraryHost(options, declarations));
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    const shown = file ? relative(folder, file.fileName) : '';
    return `${shown}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
