/** The spec of the added code: one test on every revision, in its own file. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { failure } from '../failure';
import { shownPath } from '../project/find-project';
import { inStyle } from './code-style';
import type { WrittenCode } from './pieces';
import type { ReadProject } from './read-project';
import type { FileChange } from './source-file';

/**
 * @param bases of the file's name: the first that is free
 * @throws CliFailure if the spec exists already, or if the server is not exported
 */
export function specFor(
  { folder, server, esm }: ReadProject,
  bases: readonly string[],
  { title, check }: Pick<WrittenCode, 'title' | 'check'>,
): FileChange {
  const { file, exportedAs } = server;
  if (exportedAs === undefined) {
    throw failure('SIGIL_ADD_NOT_EXPORTED', { file: shownPath(folder, file.path) });
  }
  const tests = ['test', 'tests', '__tests__'].find((name) => existsSync(join(folder, name))) ?? 'test';
  const paths = bases.map((base) => join(folder, tests, `${base}.${endingIn(join(folder, tests))}.ts`));
  const path = paths.find((each) => !existsSync(each));
  if (path === undefined) throw failure('SIGIL_ADD_FILE_TAKEN', { file: shownPath(folder, paths[0] ?? tests) });
  const code = [
    "import { eachRevision } from '@sigil-mcp/testing';",
    `import { ${exportedAs} } from '${wayTo(dirname(path), file.path, esm || importsCompiled(file.text))}';`,
    '',
    `eachRevision('${title}', async ({ connect }) => {`,
    `  const client = await connect(${exportedAs});`,
    ...check.map((line) => `  ${line}`),
    '});',
    '',
  ];
  return { path, text: inStyle(code.join('\n'), file.style) };
}

/** Whether the imports of a file end with `.js`. */
export function importsCompiled(text: string): boolean {
  return /from ['"]\.[^'"]*\.js['"]/.test(text);
}

/**
 * @param compiled whether imports name the compiled file, as in ES modules
 * @returns how a file of `from` imports the other one
 */
export function wayTo(from: string, path: string, compiled: boolean): string {
  const way = relative(from, path).replaceAll(sep, '/').replace(/\.ts$/, '');
  return `${way.startsWith('.') ? way : `./${way}`}${compiled ? '.js' : ''}`;
}

function endingIn(tests: string): string {
  const names = existsSync(tests) ? readdirSync(tests) : [];
  return names.some((name) => name.endsWith('.test.ts')) && !names.some((name) => name.endsWith('.spec.ts'))
    ? 'test'
    : 'spec';
}
