/** What is compiled for a command runs elsewhere, and still names the files it was written in. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { cacheOf, compileProject, findCompiled, PackageFiles } from '../src/project/compile-project';
import { stylesFor } from '../src/terminal/styles';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const styles = stylesFor({}, {});
const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const project = (files: Readonly<Record<string, string>>): string => {
  const folder = folders.make({ 'package.json': '{ "name": "small" }', ...files });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const typescript = dirname(require.resolve('typescript/package.json'));
  symlinkSync(typescript, join(folder, 'node_modules', 'typescript'), 'junction');
  return folder;
};

/** Types that are read quickly. */
const FEW = { lib: ['es2022'], types: [], skipLibCheck: true };

/** Throws in its third line. */
const THROWS = 'interface Gone { readonly x: number }\nconst gone: Gone[] = [];\nexport const x = gone[0]!.x;\n';

describe('a compiled program', () => {
  it.each([
    ['no configuration', {}],
    ['a configuration that puts things elsewhere', { outDir: 'dist', rootDir: 'src', sourceRoot: '/', mapRoot: '/m' }],
    ['inline source maps', { inlineSourceMap: true, inlineSources: true }],
  ])('names its source files in the stack of an error: with %s', (_, options) => {
    const compilerOptions = { target: 'es2022', module: 'node16', moduleResolution: 'node16', ...FEW, ...options };
    const config = Object.keys(options).length === 0 ? {} : { 'tsconfig.json': JSON.stringify({ compilerOptions }) };
    const folder = project({ 'src/server.ts': THROWS, ...config });
    const compiled = compileProject(join(folder, 'src', 'server.ts'), styles);
    expect(stackOf(compiled)).toContain(`${join(folder, 'src', 'server.ts')}:3:`);
  });
});

describe('a program that was compiled before', () => {
  const FILES = {
    'tsconfig.json': '{ "extends": "./base.json", "include": ["src"] }',
    'base.json': JSON.stringify({ compilerOptions: { target: 'es2022', module: 'node16', strict: true, ...FEW } }),
    'src/server.ts':
      "import { part } from './part';\nimport { far } from './far';\nexport const x: number = part + far;\n",
    'src/part.ts': 'export const part = 1;\n',
    'src/far/index.ts': 'export const far = 2;\n',
  };

  it('is found without the compiler', () => {
    const folder = project(FILES);
    const entry = join(folder, 'src', 'server.ts');
    const compiled = compileProject(entry, styles);
    expect(findCompiled(entry)).toBe(compiled);
  });

  it.each<[string, (folder: string) => void]>([
    ['a file that it imports changes', (folder) => appendFileSync(join(folder, 'src/part.ts'), '// more')],
    ['a file that it imports is gone', (folder) => rmSync(join(folder, 'src/part.ts'))],
    ['the options change', (folder) => write(folder, 'base.json', '{ "compilerOptions": { "target": "es2020" } }')],
    ['a declaration file is added', (folder) => write(folder, 'src/deep/more.d.ts', 'declare const more: number;')],
    ['another file comes before the imported one', (folder) => write(folder, 'src/far.ts', 'export const far = 3;')],
    ['the kind of its modules changes', (folder) => write(folder, 'package.json', '{ "type": "module" }')],
    ['the compiler is another version', (folder) => replaceCompiler(folder)],
    ['its compiled files are gone', (folder) => forEachProgram(folder, (path) => rmSync(join(path, 'src'), RECURSIVE))],
    ['the compiled folder is half-written', (folder) => forEachProgram(folder, (path) => rmSync(join(path, '.entry')))],
    ['what was noted is half-written', (folder) => forEachRecord(folder, (path) => truncateSync(path, 100))],
  ])('is compiled again if %s', (_, change) => {
    const folder = project(FILES);
    const entry = join(folder, 'src', 'server.ts');
    compileProject(entry, styles);
    expect(findCompiled(entry)).toBeDefined();
    change(folder);
    expect(findCompiled(entry)).toBeUndefined();
  });

  it.each([
    ['without its compiled files', 'src'],
    ['without the mark of a complete folder', '.entry'],
  ])('is repaired %s', (_, part) => {
    const folder = project(FILES);
    const entry = join(folder, 'src', 'server.ts');
    const compiled = compileProject(entry, styles);
    forEachProgram(folder, (path) => rmSync(join(path, part), RECURSIVE));
    expect(compileProject(entry, styles)).toBe(compiled);
    expect(findCompiled(entry)).toBe(compiled);
  });

  it('stays in the cache while it is used', () => {
    const folder = project(FILES);
    const entry = join(folder, 'src', 'server.ts');
    const compiled = compileProject(entry, styles);
    forEachProgram(folder, (path) => utimesSync(path, 0, 0));
    findCompiled(entry);
    write(folder, 'src/other.ts', 'export const other = 1;');
    compileProject(join(folder, 'src', 'other.ts'), styles);
    expect(findCompiled(entry)).toBe(compiled);
  });
});

describe('a compiler that stays for the next program', () => {
  const files = new PackageFiles();
  const folder = (): string =>
    project({
      'tsconfig.json': JSON.stringify({
        compilerOptions: { target: 'es2022', module: 'node16', strict: true, ...FEW },
      }),
      'node_modules/dep/index.js': 'exports.part = 1;\n',
      'node_modules/dep/index.d.ts': 'export const part: number;\n',
      'src/server.ts': "import { part } from 'dep';\nexport const x: number = part;\n",
    });

  it('sees what has changed in packages', () => {
    const changing = folder();
    const entry = join(changing, 'src', 'server.ts');
    compileProject(entry, styles, files);
    expect(findCompiled(entry)).toBeDefined();
    write(changing, 'node_modules/dep/index.d.ts', 'export const part: string;\n');
    expect(findCompiled(entry)).toBeUndefined();
    expect(() => compileProject(entry, styles, files)).toThrow('does not compile');
    write(changing, 'node_modules/dep/index.d.ts', 'export const part: number;\n');
    expect(compileProject(entry, styles, files)).toBe(findCompiled(entry));
  });

  it('parses a file of a package once for the same options, and the sources of the project each time', () => {
    const own = folder();
    const options: ts.CompilerOptions = { target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts'] };
    const read = (path: string, some = options): ts.SourceFile | undefined =>
      files.keep(ts, some, ts.createCompilerHost(some)).getSourceFile(join(own, path), ts.ScriptTarget.ES2022);
    const [dep, server] = ['node_modules/dep/index.d.ts', 'src/server.ts'] as const;
    expect(read(dep)).toBeDefined();
    expect(read(dep)).toBe(read(dep));
    expect(read(dep, { ...options, target: ts.ScriptTarget.ES2020 })).not.toBe(read(dep));
    expect(read(server)).not.toBe(read(server));
    expect(read('node_modules/dep/none.d.ts')).toBeUndefined();
  });
});

const RECURSIVE = { recursive: true } as const;

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function replaceCompiler(folder: string): void {
  rmSync(join(folder, 'node_modules', 'typescript'), RECURSIVE);
  write(folder, 'node_modules/typescript/package.json', '{ "version": "5.4.0" }');
}

function forEachProgram(folder: string, change: (path: string) => void): void {
  namesIn(folder)
    .filter((name) => !name.endsWith('.json'))
    .forEach((name) => change(join(cacheOf(folder), name)));
}

function forEachRecord(folder: string, change: (path: string) => void): void {
  namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .forEach((name) => change(join(cacheOf(folder), name)));
}

function namesIn(folder: string): string[] {
  return readdirSync(cacheOf(folder));
}

function stackOf(program: string): string {
  try {
    execFileSync(process.execPath, ['--enable-source-maps', program], { encoding: 'utf8', stdio: 'pipe' });
    return 'no error';
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}
