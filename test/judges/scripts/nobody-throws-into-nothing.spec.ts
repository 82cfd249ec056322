/** The lint rules against promises that nobody catches, asked about what they are for. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

const wrong = {
  'a promise in a statement': 'export function x(): void { a(); }',
  'void before a promise': 'export function x(): void { void a(); }',
  'void before a promise in an arrow': 'export const x = (): void => void a();',
  'void before a promise that is returned': 'export function x(): void { return void a().then(() => 1); }',
  'void before what may be a promise': 'export const x = (b?: Promise<void>): void => void (b ?? 1);',
  'an asynchronous callback of a timer': 'export const x = (): void => void setTimeout(a, 1);',
};
const right = {
  'a promise with a catch': 'export function x(): void { a().catch(() => 1); }',
  'void before a promise with a catch': 'export const x = (): void => void a().catch(() => 1);',
  'void before what is no promise': 'export const x = (b: number[]): void => void b.pop();',
  'void before what was awaited': 'export const x = async (): Promise<void> => void (await a());',
};

/** What eslint says of each text with the rules of ours that need types. */
const program = `
  const { ESLint } = require('eslint');
  const eslint = new ESLint({ overrideConfigFile: 'scripts/eslint/typed.config.mjs' });
  const lint = async (code) => {
    const [{ messages }] = await eslint.lintText(code, { filePath: 'packages/base/src/values/name-value.ts' });
    return messages.map(({ ruleId, message }) => ruleId ?? message);
  };
  const all = JSON.parse(process.argv[1]).reduce(
    async (before, code) => [...(await before), await lint(code)],
    Promise.resolve([]),
  );
  all.then((found) => console.log(JSON.stringify(found)));
`;

function ownFindings(texts: readonly string[]): string[][] {
  const { stdout } = spawnSync(process.execPath, ['-e', program, JSON.stringify(texts)], {
    cwd: root,
    encoding: 'utf8',
    // Where CI is set, the parser believes that it lints what is on disk, whatever text it is given.
    env: { ...process.env, TSESTREE_SINGLE_RUN: 'false' },
  });
  return JSON.parse(stdout) as string[][];
}

/** What oxlint says of each text, as a source of a package. */
function typedFindings(texts: readonly string[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-lint-'));
  const source = join(folder, 'packages', 'base', 'src');
  mkdirSync(source, { recursive: true });
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const compilerOptions = {
    strict: true,
    lib: ['es2023'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['packages'] }));
  texts.forEach((text, index) => writeFileSync(join(source, `${index}.ts`), text));
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--type-aware', '--format', 'json', 'packages'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, OXLINT_TSGOLINT_PATH: join(root, 'node_modules', 'oxlint-tsgolint', 'bin', 'tsgolint.js') },
  });
  rmSync(folder, { recursive: true });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly { code: string; filename: string }[] };
  return texts.map((_, index) =>
    diagnostics.filter(({ filename }) => basename(filename) === `${index}.ts`).map(({ code }) => code),
  );
}

/** The rules that each text breaks, of those about promises; a text that cannot be read breaks all. */
function findings(codes: readonly string[]): string[][] {
  const texts = codes.map((code) => `${code}\nasync function a(): Promise<void> {}\n`);
  const typed = typedFindings(texts);
  const found = ownFindings(texts).map((rules, index) => [...rules, ...(typed[index] ?? [])]);
  return found.map((rules) => rules.filter((rule) => /promise|Parsing/.test(rule)));
}

it('find every promise that is dropped, and let the others be', () => {
  const found = findings([...Object.values(wrong), ...Object.values(right)]);
  const titles = [...Object.keys(wrong), ...Object.keys(right)];
  const dropped = titles.filter((_, index) => (found[index] ?? []).length > 0);
  expect(dropped).toEqual(Object.keys(wrong));
}, 120_000);
