/** The lint rule against tests that sleep, asked about what it is for. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const IMPORT = "import { setTimeout as rest } from 'node:timers/promises';\n";

const wrong = {
  'a promise of a timer': 'await new Promise((resolve) => setTimeout(resolve, 10));',
  'a promise of a timer in a function of its own':
    'const soon = () => new Promise<void>((go) => { setTimeout(go, 10); });',
  'the timer of promises, whatever its name': 'await rest(10);',
  'a rest in each round of a list': 'for (const x of [1, 2]) await rest(x);',
  'a function inside of a loop': 'while (held()) use(() => rest(10));',
};
const right = {
  'a loop that asks again': 'while (!held()) await rest(10);',
  'a loop that counts how often it asks': 'for (let i = 0; !held() && i < 9; i++) { await rest(10); }',
  'a loop that tries again': 'for (;;) { try { use(held); break; } catch { await rest(10); } }',
  'a wait that a signal ends': 'await rest(60_000, undefined, { signal: new AbortController().signal });',
  'a deadline': 'const failing = setTimeout(() => use(held), 10_000);',
  'a turn of the loop': 'await new Promise((resolve) => setImmediate(resolve));',
  'a reason': '// eslint-disable-next-line house/fixed-sleep -- another process, which no clock moves\nawait rest(10);',
};

const program = `
  const { ESLint, Linter } = require('eslint');
  const { parser } = require('typescript-eslint');
  const rule = 'house/fixed-sleep';
  const { texts, paths } = JSON.parse(process.argv[1]);
  const judge = async () => {
    const { houseRules: house } = await import('./scripts/eslint/house-rules.mjs');
    const config = [{ files: ['**/*.ts'], languageOptions: { parser }, plugins: { house }, rules: { [rule]: 'error' } }];
    const sleeps = texts.map((text) => new Linter().verify(text, config, 'x.ts').length > 0);
    const eslint = new ESLint();
    const judged = await Promise.all(paths.map((path) => eslint.calculateConfigForFile(path)));
    return { sleeps, judged: judged.map(({ rules }) => rules[rule] !== undefined) };
  };
  judge().then((found) => console.log(JSON.stringify(found)));
`;

const tests = ['packages/core/test/memory.spec.ts', 'apps/files/test/files.spec.ts', 'test/support/spawned-server.ts'];
const others = ['packages/core/src/create-server.ts', 'test/endurance/soak/run.ts', 'test/measures/hops.spec.ts'];

let found: { readonly sleeps: readonly boolean[]; readonly judged: readonly boolean[] };
beforeAll(() => {
  const texts = Object.values({ ...wrong, ...right }).map((code) => `${IMPORT}${code}\n`);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', program, JSON.stringify({ texts, paths: [...tests, ...others] })],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  if (stdout === '') throw new Error(stderr);
  found = JSON.parse(stdout) as typeof found;
}, 120_000);

it('finds every test that sleeps, and lets those be that wait for a state or say why they sleep', () => {
  const titles = Object.keys({ ...wrong, ...right });
  expect(titles.filter((_, index) => found.sleeps[index])).toEqual(Object.keys(wrong));
});

it('is for tests, not for programs that wear a server out or measure it', () => {
  expect([...tests, ...others].filter((_, index) => found.judged[index])).toEqual(tests);
});
