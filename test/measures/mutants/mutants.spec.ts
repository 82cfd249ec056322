/** The changes that `npm run mutants` makes, and how it judges them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { judgeMutant } from './judge-mutant';
import { mutated, mutationsOf } from './mutations';
import { namedMutants } from './named-mutants';

const root = join(__dirname, '..', '..', '..');

const SOURCE = `export class Room<T extends string> {
  constructor(private readonly most = 3) {
    super();
  }

  take(count: number): string | undefined {
    if (count > this.most || count < 0) return undefined;
    this.note(count);
    return count === 1 ? 'one' : \`\${count}\`;
  }
}
`;

it('changes operators and conditions, and leaves out early ends and calls', () => {
  const made = mutationsOf('room.ts', SOURCE).map((mutation) => {
    const changed = mutated(SOURCE, mutation).split('\n');
    return [mutation.line, changed[mutation.line - 1]?.trim()];
  });
  expect(made).toEqual([
    [7, 'if (!(count > this.most || count < 0)) return undefined;'],
    [7, ''],
    [7, 'if (count > this.most && count < 0) return undefined;'],
    [7, 'if (count >= this.most || count < 0) return undefined;'],
    [7, 'if (count > this.most || count <= 0) return undefined;'],
    [8, ';'],
    [9, "return !(count === 1) ? 'one' : `${count}`;"],
    [9, "return count !== 1 ? 'one' : `${count}`;"],
  ]);
});

it('makes sources that parse, of every source of a package', () => {
  const folder = join(root, 'packages', 'base', 'src');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.ts'),
  )) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const mutation of mutationsOf(name, text)) {
      const { diagnostics } = ts.transpileModule(mutated(text, mutation), { reportDiagnostics: true });
      expect([name, mutation, diagnostics]).toEqual([name, mutation, []]);
    }
  }
});

it('the changes that are named are of texts that are there', () => {
  for (const { path, text } of namedMutants(root)) expect(text).not.toBe(readFileSync(path, 'utf8'));
});

it('says that no spec loads a source, because a thread runs what is built of it', async () => {
  const path = join(root, 'packages', 'toolsets', 'src', 'code', 'threads', 'sandbox-thread.ts');
  expect(await judgeMutant({ path, text: '' })).toEqual({ isKilled: false, isLoaded: false });
});

it('names the test that notices a change, and says which change none notices', async () => {
  const path = join(root, 'packages', 'cli', 'src', 'terminal', 'columns.ts');
  const text = readFileSync(path, 'utf8');
  expect(await judgeMutant({ path, text: `${text}\n// nothing` })).toEqual({ isKilled: false, isLoaded: true });
  const thrown = text.replace(/(export function \w+\([^{]*\{)/, "$1 throw new Error('changed');");
  expect(await judgeMutant({ path, text: thrown })).toMatchObject({
    isKilled: true,
    by: expect.stringContaining('packages/cli/test/'),
  });
}, 600_000);
