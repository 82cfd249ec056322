/** The programs under a Node that is too old: they say so before they load anything that it could not read. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { CREATE, SIGIL } from './packed';
import { run } from './run-command';

const folder = mkdtempSync(join(tmpdir(), 'sigil-old-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says that Node is old, and at the end what was loaded. */
const OLD = `
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });
process.on('exit', () => console.log(JSON.stringify(Object.keys(require.cache).slice(1))));
`;

it.each([
  ['sigil', SIGIL, ['doctor']],
  ['create', CREATE, ['x', '--yes']],
])('%s refuses, having loaded nothing that an old Node does not read', async (_name, program, words) => {
  const preload = join(folder, 'old.js');
  writeFileSync(preload, OLD);
  const { code, stdout, stderr } = await run(process.execPath, ['--require', preload, program, ...words], folder);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^This is Node 18\.20\.8; Sigil needs 20\.19 or newer\.\nInstall .*\n$/),
  });
  const loaded = JSON.parse(stdout) as string[];
  expect(loaded).toEqual([program, program.replace('main.js', 'node-problem.js')]);
  for (const text of loaded.map((file) => ts.sys.readFile(file) ?? '')) expect(text).toBe(inOldLanguage(text));
});

/** What a compiler makes of a text for Node 6: the same, unless something in it is newer. */
function inOldLanguage(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    fileName: 'x.js',
    compilerOptions: { allowJs: true, target: ts.ScriptTarget.ES2015, module: ts.ModuleKind.CommonJS },
  });
  return `${outputText.trimEnd()}\n${/\/\/# sourceMappingURL=.*$/.exec(text)?.[0] ?? ''}`;
}
