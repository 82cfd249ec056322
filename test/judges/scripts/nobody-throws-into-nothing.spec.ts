/** The lint rules against promises that nobody catches, asked about what they are for. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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

const program = `
  const { ESLint } = require('eslint');
  const eslint = new ESLint();
  const lint = async (code) => {
    const [{ messages }] = await eslint.lintText(code, { filePath: 'packages/base/src/values/shorten.ts' });
    return messages.map(({ ruleId, message }) => ruleId ?? message);
  };
  const all = JSON.parse(process.argv[1]).reduce(
    async (before, code) => [...(await before), await lint(code)],
    Promise.resolve([]),
  );
  all.then((found) => console.log(JSON.stringify(found)));
`;

/** The rules that each text breaks, of those about promises; a text that cannot be read breaks all. */
function findings(codes: readonly string[]): string[][] {
  const texts = codes.map((code) => `${code}\nasync function a(): Promise<void> {}\n`);
  const { stdout } = spawnSync(process.execPath, ['-e', program, JSON.stringify(texts)], {
    cwd: root,
    encoding: 'utf8',
    // Where CI is set, the parser believes that it lints what is on disk, whatever text it is given.
    env: { ...process.env, TSESTREE_SINGLE_RUN: 'false' },
  });
  const found = JSON.parse(stdout) as string[][];
  return found.map((rules) => rules.filter((rule) => /promise|Parsing/.test(rule)));
}

it('find every promise that is dropped, and let the others be', () => {
  const found = findings([...Object.values(wrong), ...Object.values(right)]);
  const titles = [...Object.keys(wrong), ...Object.keys(right)];
  const dropped = titles.filter((_, index) => (found[index] ?? []).length > 0);
  expect(dropped).toEqual(Object.keys(wrong));
}, 120_000);
