/** Commands in the folder of a TypeScript project. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithTerminal, sigil, Terminal } from './terminal';
import { TypescriptProject } from './typescript-project';

// Compilers take their time.
jest.setTimeout(120_000);

let project: TypescriptProject;
beforeAll(() => (project = new TypescriptProject()));
afterAll(() => project.remove());

const run = (args: readonly string[], input = '') => sigil(args, { cwd: project.folder, input });

describe('a project', () => {
  it('is compiled by two commands at once, and then not again until a file changes', async () => {
    const both = await Promise.all([
      run(['call', '.', 'multiply', 'value=4']),
      run(['call', '.', 'multiply', 'value=5']),
    ]);
    expect(both).toEqual([
      { status: 0, stdout: '8\n', stderr: '' },
      { status: 0, stdout: '10\n', stderr: '' },
    ]);
    const before = project.compilations;
    expect((await run(['call', '.', 'multiply', 'value=6'])).stdout).toBe('12\n');
    expect((await run(['inspect'])).stdout).toContain('Multiplies a number');
    expect(project.compilations).toBe(before);
    project.write('src/factor.ts', 'export const factor = 3;\n');
    expect((await run(['call', '.', 'multiply', 'value=6'])).stdout).toBe('18\n');
    expect(project.compilations).toBe(before + 1);
    const left = readdirSync(join(project.folder, 'node_modules', '.cache', 'sigil'));
    expect(left.filter((name) => /\.\d+$/.test(name))).toEqual([]);
  });
});

describeWithTerminal('a project at a terminal', () => {
  it('shows a line while it compiles, which is gone when the result is there', async () => {
    project.write('src/factor.ts', 'export const factor = 5;\n');
    const terminal = new Terminal(['call', '.', 'multiply', 'value=6'], { cwd: project.folder });
    await terminal.sees('Compiling src/main.ts');
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toBe('30');
  });
});
