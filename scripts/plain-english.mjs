/**
 * The last part of `npm run lint`: is every text that a user may read written in plain English? Checks pages, READMEs, sources
 * (docstrings, comments, messages), templates and examples. Lists each bad turn, and what to write instead.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTurns } from './plain-english/find-turns.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const READ = [
  '*.md',
  'docs/.vitepress',
  'packages/*/src/**',
  'packages/*/templates/**',
  'apps/**',
  'bench/**',
  'scripts/**',
];
const TEXT = /\.(md|ts|mts|cts|js|mjs|cjs|json|ya?ml|vue|html|css)(\.template)?$/;

const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', ...READ.map((glob) => `:(glob)${glob}`), 'docs'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => TEXT.test(file) && file !== 'scripts/plain-english/turns.mjs' && existsSync(join(root, file)));

const problems = [...new Set(files)].flatMap((file) =>
  findTurns(file, readFileSync(join(root, file), 'utf8')).map(
    ({ line, turn, instead }) => `${file}:${line}: "${turn}": write ${instead}`,
  ),
);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(problems.length === 0 ? 'Plain English.\n' : `${problems.length} to write in plain English.\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
