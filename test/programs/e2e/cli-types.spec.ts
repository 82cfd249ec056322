/** `sigil types`: a file that clients compile with, of a program of ours, of an official server, and of one that changes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { builtApp } from './built-app';
import { sigil } from './terminal';

jest.setTimeout(150_000);

const sdk = join(__dirname, 'fixtures', 'official-sdk-1-server.mjs');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-types-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The errors of the compiler in a client of the file. */
function problemsOf(lines: readonly string[]): string[] {
  const file = join(folder, 'client.ts');
  const client = join(__dirname, '..', '..', '..', 'packages', 'client', 'dist', 'index');
  const text = [
    `import { createClient } from ${JSON.stringify(client)};`,
    `import type { Api } from './api';`,
    `const onElicit = () => ({ action: 'accept', content: { name: 'Ada', confirm: true, tier: 'free' } }) as const;`,
    `export async function run(): Promise<void> {`,
    `  const client = await createClient<Api>({ url: 'http://127.0.0.1:1/mcp' }, { onElicit });`,
    ...lines,
    `}`,
  ];
  writeFileSync(file, text.join('\n'));
  const options = { strict: true, noEmit: true, skipLibCheck: true, target: ts.ScriptTarget.ES2023, types: ['node'] };
  const lib = ['lib.es2023.d.ts'];
  const roots = { typeRoots: [join(__dirname, '..', '..', '..', 'node_modules', '@types')] };
  const module = { module: ts.ModuleKind.CommonJS, moduleResolution: ts.ModuleResolutionKind.Node10 };
  const program = ts.createProgram([file], { ...options, lib, ...roots, ...module, ignoreDeprecations: '6.0' });
  return ts.getPreEmitDiagnostics(program).map((each) => {
    const line = each.file?.getLineAndCharacterOfPosition(each.start ?? 0).line ?? 0;
    return `${line - 4}: ${ts.flattenDiagnosticMessageText(each.messageText, ' ')}`;
  });
}

it('writes types with which a client compiles, and a wrong call does not', async () => {
  const out = join(folder, 'api.ts');
  const { status, stderr } = await sigil(['types', builtApp('everything'), '--out', out]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const right = [
    `  await client.tools.slow_compute({ seconds: 1 });`,
    `  await client.tools.json_schema_2020_12_tool({ name: 'Ada', contactMethod: 'phone', phone: '1' });`,
    `  await client.tools.confirm_delete({ filename: 'a' });`,
    `  await client.prompts.test_prompt_with_arguments({ arg1: 'a', arg2: 'b' });`,
    `  await client.tools.test_simple_text();`,
  ];
  const wrong = [
    `  await client.tools.slow_compute({ seconds: '1' });`,
    `  await client.tools.json_schema_2020_12_tool({ contactMethod: 'fax' });`,
    `  await client.tools.nothing({});`,
    `  await client.prompts.test_prompt_with_arguments({});`,
  ];
  const places = problemsOf([...right, ...wrong]).map((problem) => Number(problem.split(':')[0]));
  expect(places).toEqual(wrong.map((_, index) => right.length + index + 1));
});

it('writes to stdout, of a server of another framework, under a name of your choice', async () => {
  const { status, stdout } = await sigil(['types', '--name', 'Official', '--', process.execPath, sdk]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^export interface Official \{$/m);
  expect(stdout).toMatch(/^ {2}readonly tools: \{$/m);
});

it('fails with --check where the file is another, and writes nothing', async () => {
  const out = join(folder, 'api.ts');
  const types = (...words: string[]) => sigil(['types', builtApp('weather'), '--out', out, ...words]);
  expect(await types('--check')).toMatchObject({ status: 1 });
  expect((await types()).status).toBe(0);
  expect(await types('--check')).toMatchObject({ status: 0, stdout: '' });
  const text = readFileSync(out, 'utf8');
  writeFileSync(out, text.replaceAll('\n', '\r\n'));
  expect((await types('--check')).status).toBe(0);
  const changed = text.replace('forecast', 'outlook');
  writeFileSync(out, changed);
  const { status, stderr } = await types('--check');
  expect(status).toBe(1);
  expect(stderr).toContain('does not match what the server offers');
  expect(readFileSync(out, 'utf8')).toBe(changed);
});

it.each([
  [['--check'], 2, 'no file is given'],
  [['--name', 'two words'], 2, 'name of a TypeScript type'],
])('refuses %j', async (words, wanted, reason) => {
  const { status, stderr } = await sigil(['types', builtApp('weather'), ...words]);
  expect(stderr).toContain(reason);
  expect(status).toBe(wanted);
});

it('says that a file cannot be written, and where', async () => {
  const inFile = join(folder, 'file');
  writeFileSync(inFile, '');
  const refused = await sigil(['types', builtApp('weather'), '--out', join(inFile, 'api.ts')]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('SIGIL_ADD_UNWRITABLE');
  expect(readFileSync(inFile, 'utf8')).toBe('');
});
