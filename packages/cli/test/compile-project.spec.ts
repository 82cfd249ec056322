/** What is compiled for a command runs elsewhere, and still names the files it was written in. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compileProject } from '../src/project/compile-project';
import { TemporaryFolders } from './temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const project = (files: Readonly<Record<string, string>>): string => {
  const folder = folders.make({ 'package.json': '{ "name": "small" }', ...files });
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const typescript = dirname(require.resolve('typescript/package.json'));
  symlinkSync(typescript, join(folder, 'node_modules', 'typescript'), 'junction');
  return folder;
};

/** Throws in its third line. */
const THROWS = 'interface Gone { readonly x: number }\nconst gone: Gone[] = [];\nexport const x = gone[0]!.x;\n';

describe('a compiled program', () => {
  it.each([
    ['no configuration', {}],
    ['a configuration that puts things elsewhere', { outDir: 'dist', rootDir: 'src', sourceRoot: '/', mapRoot: '/m' }],
    ['inline source maps', { inlineSourceMap: true, inlineSources: true }],
  ])('names its source files in the stack of an error: with %s', (_, options) => {
    const compilerOptions = { target: 'es2022', module: 'node16', moduleResolution: 'node16', types: [], ...options };
    const config = Object.keys(options).length === 0 ? {} : { 'tsconfig.json': JSON.stringify({ compilerOptions }) };
    const folder = project({ 'src/server.ts': THROWS, ...config });
    const compiled = compileProject(join(folder, 'src', 'server.ts'));
    expect(stackOf(compiled)).toContain(`${join(folder, 'src', 'server.ts')}:3:`);
  });
});

function stackOf(program: string): string {
  try {
    execFileSync(process.execPath, ['--enable-source-maps', program], { encoding: 'utf8', stdio: 'pipe' });
    return 'no error';
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
}
