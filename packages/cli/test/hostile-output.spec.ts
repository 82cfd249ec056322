/** No text of a repository is obeyed by the terminal, whichever command prints it; cli-hostile.spec.ts has servers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Command } from 'commander';
import { candidates } from '../src/completion/candidates';
import { CapturedText } from '../../../test/support/captured-text';
import { runCapturedIn, type Said } from '../../../test/support/captured-cli';
import { linkCompiler, TemporaryFolders, write } from '../../../test/support/temporary-folder';

/** What a terminal, or the direction of its text, obeys. */
// eslint-disable-next-line no-control-regex -- matching them is the purpose
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const CHARACTERS = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  .concat(['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'])
  .concat(['\u2066', '\u2067', '\u2068', '\u2069'])
  .filter((character) => OBEYED.test(character));
/** All of them. */
const HOSTILE = CHARACTERS.join('x');

const folders = new TemporaryFolders();
afterAll(() => folders.removeAll());

function expectHarmless({ stdout, stderr }: Said): void {
  expect(OBEYED.exec(stdout.replace(/\n/g, ''))).toBeNull();
  expect(OBEYED.exec(stderr.replace(/\n/g, ''))).toBeNull();
}

/** A text of a repository: hostile characters between harmless ones. */
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...CHARACTERS), fc.constantFrom('a', ' ', '"', '\n', '=', '#', "'", '$')), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

/** As at a terminal, without colours of our own. */
async function runIn(folder: string, ...words: string[]): Promise<Said> {
  const stdout = new CapturedText(true);
  const said = await runCapturedIn({ cwd: folder, env: { ...process.env, NO_COLOR: '1' }, stdout }, ...words);
  return { ...said, stdout: stdout.text };
}

describe('A repository whose every text is hostile', () => {
  it('is harmless in the commands that only read it', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        const folder = folders.make({
          'package.json': JSON.stringify({
            name: text,
            version: text,
            description: text,
            main: `${text}.js`,
            author: text,
            mcpName: text,
          }),
          '.env.example': `# ${text}\nKEY_${'A'}=${text}\n${text}=1\n`,
          '.mcp.json': `{ "mcpServers": { ${JSON.stringify(text)}: { "command": ${JSON.stringify(text)} } } }`,
          '.cursor/mcp.json': `{ "mcpServers": ${text} }`,
          'tsconfig.json': `{ "compilerOptions": { "outDir": ${JSON.stringify(text)}, "target": ${JSON.stringify(text)} } }`,
          'openapi.json': JSON.stringify({
            openapi: text,
            info: { title: text, version: text },
            paths: { [`/${text}`]: { get: { operationId: text } } },
          }),
        });
        linkCompiler(folder);
        for (const words of [
          ['install', 'claude-code', '--project', '--dry-run'],
          ['install', 'claude-code', '--project', '--dry-run', '--name', 'fine', '--dev'],
          ['install', 'claude-code', '--project', '--remove', '--dry-run'],
          ['install', 'cursor', '--project', '--dry-run', '--name', 'fine', '--dev'],
          ['install', '--list'],
          ['copy'],
          ['doctor'],
          ['doctor', '--json'],
          ['add', 'tool', text.replaceAll('\0', '')],
          ['add', 'openapi', join(folder, 'openapi.json')],
          ['publish', '--check', '--dry-run'],
          ['inspect'],
          ['explain', text.replaceAll('\0', '')],
          [text.replaceAll('\0', '')],
        ])
          expectHarmless(await runIn(folder, ...words));
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  it('is harmless where its files have hostile names', async () => {
    const name = HOSTILE.replaceAll('\0', '').replaceAll('/', '').slice(0, 60);
    const folder = folders.make({
      'package.json': '{}',
      'tsconfig.json': JSON.stringify({
        compilerOptions: { types: [], rootDir: 'src', outDir: 'dist' },
        include: ['src'],
      }),
      'src/main.ts': '',
    });
    linkCompiler(folder);
    write(folder, {
      [`src/${name}.txt`]: '',
      [`src/skills/${name}/SKILL.md`]: '',
      [`src/skills/${name}/.${name}`]: '',
    });
    const said = await runIn(folder, 'copy');
    expect(said).toMatchObject({ status: 0, stdout: expect.stringContaining('left out') as string });
    expectHarmless(said);
  });

  it('has no completions that a shell or a terminal obeys', () => {
    const folder = folders.make({ 'package.json': '{}' });
    const cache = join(folder, 'node_modules', '.cache', 'sigil');
    mkdirSync(cache, { recursive: true });
    const program = new Command();
    program.command('call').argument('[words...]');
    const harmless = /^[\p{L}\p{N}_./][\p{L}\p{M}\p{N}_./:=@-]*$/u;
    fc.assert(
      fc.property(
        fc.array(fc.oneof(hostileText, fc.string(), fc.string({ unit: 'binary' })), { maxLength: 20 }),
        (names) => {
          const tools = Object.fromEntries([['tool', names], ...names.map((name) => [name, names])]);
          writeFileSync(join(cache, 'tools.json'), JSON.stringify(tools));
          for (const words of [
            ['call', ''],
            ['call', 'tool', ''],
          ])
            for (const word of candidates(program, words, folder)) {
              expect(word).toMatch(harmless);
              expect(OBEYED.test(word)).toBe(false);
            }
        },
      ),
    );
  });
});
