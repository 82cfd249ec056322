/** The lint rules against tests that sleep, and against those that compare a time that has passed, asked about what they are for. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const IMPORT = "import timers, { setTimeout as rest } from 'node:timers/promises';\n";

const wrong = {
  'a promise of a timer': 'await new Promise((resolve) => setTimeout(resolve, 10));',
  'a promise of a timer in a function of its own':
    'const soon = () => new Promise<void>((go) => { setTimeout(go, 10); });',
  'the timer of promises, whatever its name': 'await rest(10);',
  'a rest in each round of a list': 'for (const x of [1, 2]) await rest(x);',
  'a function inside of a loop': 'while (held()) use(() => rest(10));',
  'the timer of a module': 'await timers.setTimeout(10);',
  'the scheduler': 'await timers.scheduler.wait(10);',
  'a timer that promises': 'const later = promisify(setTimeout);\nawait later(10);',
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

const late = {
  'a time that has passed': 'const begun = performance.now();\nexpect(performance.now() - begun).toBeLessThan(5);',
  'a variable for it': 'const begun = Date.now();\nuse();\nconst took = Date.now() - begun;\nuse(took);',
  'another clock': 'const begun = process.hrtime.bigint();\nif (process.hrtime.bigint() > begun) use();',
  'a date in the future': 'const end = Date.now() + 1000;\nwhile (Date.now() < end) use();',
  'the contrary': 'const begun = Date.now();\nexpect(begun).not.toBeGreaterThan(3);',
  'a number nearly': 'expect(performance.now()).toBeCloseTo(3);',
  'what a variable is given later': 'let end = 0;\nend = Date.now();\nif (end > 4) use();',
};
const timeless = {
  'a date that is sent': 'use({ expiresAt: Date.now() - 60_000 });',
  'a clock that a test moves': 'expect(clock.elapsed()).toBeLessThan(5);',
  'CPU time': 'const { user } = process.cpuUsage();\nexpect(process.cpuUsage().user - user).toBeLessThan(5_000_000);',
  'what a function does later': 'const later = () => Date.now();\nif (count > 3) use(later);',
  'a reason': '// eslint-disable-next-line house/wall-time -- a log has real times\nif (Date.now() > count) use();',
};

const program = `
  const { ESLint, Linter } = require('eslint');
  const { parser } = require('typescript-eslint');
  const rule = 'house/fixed-sleep';
  const { texts, times, paths } = JSON.parse(process.argv[1]);
  const judge = async () => {
    const { houseRules: house } = await import('./scripts/eslint/house-rules.mjs');
    const finds = (rule) => (text) => {
      const files = { files: ['**/*.ts'], languageOptions: { parser } };
      return new Linter().verify(text, [{ ...files, plugins: { house }, rules: { [rule]: 'error' } }], 'x.ts').length > 0;
    };
    const [sleeps, compares] = [texts.map(finds(rule)), times.map(finds('house/wall-time'))];
    const eslint = new ESLint();
    const judged = await Promise.all(paths.map((path) => eslint.calculateConfigForFile(path)));
    return { sleeps, compares, judged: judged.map(({ rules }) => rules[rule] !== undefined) };
  };
  judge().then((found) => console.log(JSON.stringify(found)));
`;

const tests = ['packages/core/test/memory.spec.ts', 'apps/files/test/files.spec.ts', 'test/support/spawned-server.ts'];
const others = ['packages/core/src/create-server.ts', 'test/endurance/soak/run.ts', 'test/measures/hops.spec.ts'];

let found: Readonly<Record<'sleeps' | 'compares' | 'judged', readonly boolean[]>>;
beforeAll(() => {
  const texts = Object.values({ ...wrong, ...right }).map((code) => `${IMPORT}${code}\n`);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '-e',
      program,
      JSON.stringify({ texts, times: Object.values({ ...late, ...timeless }), paths: [...tests, ...others] }),
    ],
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

it('finds every test that compares a time of the machine, and lets those be that do not', () => {
  const titles = Object.keys({ ...late, ...timeless });
  expect(titles.filter((_, index) => found.compares[index])).toEqual(Object.keys(late));
});

it('is for tests, not for programs that wear a server out or measure it', () => {
  expect([...tests, ...others].filter((_, index) => found.judged[index])).toEqual(tests);
});
