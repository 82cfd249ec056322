/** Mistakes as their author sees them: what is wrong, the file and the line, and the fix. Each is a file of one project. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CRASH_MARK, readCrash } from '../src/causes/crash-report';
import { describeCause } from '../src/causes/describe-cause';
import { describeDiagnostics } from '../src/project/describe-diagnostics';
import { loadTypeScript } from '../src/project/load-typescript';
import { stylesFor } from '../src/terminal/styles';
import { COMPILED, REFUSED } from './mistakes/files';

const root = join(__dirname, '..', '..', '..');
const REPORT = join(root, 'packages', 'cli', 'dist', 'causes', 'report-crash.js');
const RUNNER = join(__dirname, 'mistakes', 'run-files.cjs');
const styles = stylesFor({}, {});

const OPTIONS = {
  target: 'es2022',
  module: 'node20',
  types: ['node'],
  strict: true,
  isolatedModules: true,
  skipLibCheck: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  sourceMap: true,
  rootDir: 'src',
  outDir: 'dist',
};

// One compilation of all files takes its time.
jest.setTimeout(120_000);

let folder: string;
let diagnosed: (file: string) => string;
let ran: ReadonlyMap<string, string>;

beforeAll(() => {
  mkdirSync(join(root, '.sigil'), { recursive: true });
  // Within the repository, whose packages the files import by name.
  folder = mkdtempSync(join(root, '.sigil', 'mistakes-'));
  // The search for circular imports looks for the packages of the project.
  for (const name of ['src', 'node_modules']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'package.json'), '{ "name": "mistakes", "version": "1.0.0" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }));
  for (const { files } of [...REFUSED, ...COMPILED])
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'src', name), text);
  diagnosed = compileAll();
  ran = runAll(REFUSED.map(({ main }) => main));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles the project. @returns describes what the compiler says about a file */
function compileAll(): (file: string) => string {
  const typescript = loadTypeScript(folder);
  const { options, fileNames } = typescript.parseJsonConfigFileContent(
    { compilerOptions: OPTIONS, include: ['src'] },
    typescript.sys,
    folder,
  );
  const program = typescript.createProgram(fileNames, options);
  program.emit();
  const all = typescript.getPreEmitDiagnostics(program);
  return (file) =>
    describeDiagnostics(
      typescript,
      all.filter((each) => each.file?.fileName.endsWith(`/${file}`)),
      { folder, styles },
    );
}

/** Runs compiled files as the commands do. @returns what is on stderr, by file */
function runAll(names: readonly string[]): ReadonlyMap<string, string> {
  const programs = names.map((name) => join(folder, 'dist', name.replace(/\.(m?)ts$/, '.$1js')));
  const args = ['--enable-source-maps', '--require', REPORT, RUNNER, ...programs];
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: '' });
  const said = stderr.split(/^--- (.*)$/m).slice(1);
  return new Map(names.map((name, index) => [name, said[said.indexOf(programs[index] ?? '') + 1] ?? '']));
}

/** Describes the error that ended a file. */
function told(file: string): string {
  const stderr = ran.get(file) ?? '';
  const crash = stderr.split('\n').find((line) => line.startsWith(CRASH_MARK));
  if (crash === undefined) throw new Error(`The program did not end with an error: ${stderr}`);
  // It was written by the same package.
  return describeCause(readCrash(crash) ?? ({} as never), { folder, styles }).text;
}

/** The line that is marked in a file, as messages name it. */
function markedLine(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    const line = text.split('\n').findIndex((each) => each.includes('// here'));
    if (line !== -1) return `src/${name}:${line + 1}:`;
  }
  throw new Error('No line is marked.');
}

it.each(REFUSED)('a server does not start, and the author reads why, where and the fix: $title', (mistake) => {
  const text = told(mistake.main);
  expect(text).toMatch(mistake.says);
  expect(text).toContain(markedLine(mistake.files));
  expect(text).toMatch(mistake.fix);
});

it.each(COMPILED)('the compiler refuses it, and the author reads why, where and the fix: $title', (mistake) => {
  const text = diagnosed(mistake.main);
  expect(text).toMatch(mistake.says);
  expect(text).toContain(markedLine(mistake.files));
  expect(text).toMatch(mistake.fix);
});
