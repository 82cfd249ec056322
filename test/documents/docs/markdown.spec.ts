/** What the site makes of the Markdown that GitHub shows too: titles of blocks, tabs, diffs and lines that fit. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

let renderer: ChildProcess;
let said = '';
beforeAll(() => {
  renderer = fork(join(__dirname, 'render.mjs'), { cwd: join(__dirname, '..', '..', '..'), silent: true });
  renderer.stderr?.on('data', (text) => (said += String(text)));
});
afterAll(() => renderer.kill());
afterEach(() => expect(said).toBe(''));

async function render(...lines: string[]): Promise<string> {
  renderer.send(lines.join('\n'));
  const [html] = (await once(renderer, 'message')) as [string];
  return html;
}
/** What a reader sees of a piece of HTML, and what the copy button takes of its first block. */
const plain = (html: string): string => html.replace(/<[^>]+>/g, '');
const copied = (html: string): string => {
  const [, lines = ''] = /<code[^>]*>(.*?)<\/code>/s.exec(html) ?? [];
  // Each line is an element that is as deep as its tokens; those that are left out hold their own end.
  const kept = lines
    .split(/(?=<span class="line)/)
    .filter((line) => !/^<span class="line [^"]*(remove|vp-copy-ignore)/.test(line));
  return plain(kept.join(''));
};

it('titles a block with the name of the file that stands above it', async () => {
  const html = await render('Write this:', '', '`src/server.ts`', '', '```ts', 'const a = 1;', '```');
  expect(html).toMatch(/<div class="code-file-name"><span>src\/server\.ts<\/span><\/div><div class="language-ts/);
  expect(html.match(/src\/server\.ts/g)).toHaveLength(1);
});

it('leaves a sentence with the name of a file where it is', async () => {
  const html = await render('Write `src/server.ts`', '', '```ts', 'const a = 1;', '```');
  expect([html.includes('code-file-name'), html.includes('<code>src/server.ts</code>')]).toEqual([false, true]);
});

it('titles a region of an example with its file, and links to it', async () => {
  const html = await render('<!-- snippet: apps/weather/src/alerts.ts#form -->', '```ts', 'const a = 1;', '```');
  expect(html).toMatch(
    /<span>apps\/weather\/src\/alerts\.ts<\/span><a href="https:[^"]+\/blob\/main\/apps\/weather\/src\/alerts\.ts">/,
  );
});

it('shows npm commands for each package manager', async () => {
  const html = await render(
    '```sh [npm]',
    'npm create @sigil-mcp@latest my-server',
    'npm create @sigil-mcp@latest notes -- --yes',
    'npm install -D vitest',
    'npm test',
    'npx sigil inspect',
    '```',
  );
  expect(plain(html)).toContain('npmpnpmyarnbun');
  for (const line of [
    'yarn create @sigil-mcp my-server',
    'npm create @sigil-mcp@latest notes -- --yes',
    'pnpm create @sigil-mcp@latest notes --yes',
    'yarn create @sigil-mcp notes --yes',
    'bun create @sigil-mcp@latest notes --yes',
    'bun add -d vitest',
    'bun run test',
    'pnpm exec sigil inspect',
  ])
    expect(plain(html)).toContain(line);
});

it('makes tabs of blocks below labels, and leaves a single one alone', async () => {
  const two = await render(
    '**CommonJS**',
    '',
    '```ts',
    'a;',
    '```',
    '',
    '**ES modules**',
    '',
    '```ts',
    'b;',
    '```',
    '',
    'After.',
  );
  expect(two.match(/<label data-title="[^"]+"/g)).toEqual([
    '<label data-title="CommonJS"',
    '<label data-title="ES modules"',
  ]);
  expect(two).toContain('<p>After.</p>');
  expect(await render('**Note**', '', '```ts', 'a;', '```')).not.toContain('<label');
});

it('shows a diff in the colours of its language, and copies what stands in the file afterwards', async () => {
  const html = await render(
    '`src/a.ts`',
    '',
    '```diff',
    ' const a = 1;',
    '-const b = 2;',
    '+const b = 3;',
    '@@',
    ' done(a);',
    '```',
  );
  expect(html).toMatch(/class="language-ts/);
  expect(html).toMatch(/class="line diff remove"/);
  expect(html).toMatch(/class="line diff add"/);
  expect(copied(html)).toBe('const a = 1;\nconst b = 3;\ndone(a);');
});

it('writes long lines of code narrower, and leaves what is no program alone', async () => {
  const long = `const names = [${Array.from({ length: 20 }, (_, index) => `'name ${index}'`).join(', ')}];`;
  expect(
    Math.max(
      ...copied(await render('```ts', long, '```'))
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThan(89);
  const odd = `{{ ${'x'.repeat(100)}`;
  expect(copied(await render('```ts', odd, '```'))).toContain('x'.repeat(100));
});

it('names the colours of code, for they would make a page half as heavy again', async () => {
  const html = await render('```ts', "const a = 'b'; // c", '```');
  expect(html).not.toContain('#A0111F');
  expect(html).toContain('class="c-key"');
});

it('colours code that it has seen by its language, as if it were new', async () => {
  const [typescript, again, text] = [
    await render('```ts', 'const seen = 1;', '```'),
    await render('```ts', 'const seen = 1;', '```'),
    await render('```txt', 'const seen = 1;', '```'),
  ];
  expect(again).toBe(typescript);
  expect([typescript, text].map((html) => html.includes('c-key'))).toEqual([true, false]);
});

describe('the names of code', () => {
  const shown = (html: string): Record<string, string> =>
    Object.fromEntries(
      [...html.matchAll(/data-type="([^"]*)"[^>]*>\s*([\w$]+)</g)].map(([, type = '', name = '']) => [
        name,
        type.replaceAll('‹', '<').replaceAll('›', '>'),
      ]),
    );
  const block = (source: string): string[] => {
    const [, code = ''] = new RegExp(`<!-- snippet: ${source} -->\\n\`\`\`ts\\n([^]*?)\`\`\``).exec(page) ?? [];
    return [`<!-- snippet: ${source} -->`, '```ts', code.trimEnd(), '```', ''];
  };
  const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'asking.md'), 'utf8');
  const method = block('apps/weather/src/alerts.ts#elicit');
  const handler = block('test/documents/guides/function-tabs.spec.ts#elicit');

  it('have the types that the compiler knows, in a block from a source file and in its tabs', async () => {
    expect(shown(await render(...method))).toMatchObject({
      answer: expect.stringContaining('AlertForm'),
      ok: '(property) AlertForm.ok: boolean',
      context: '(parameter) context: McpContext<unknown>',
    });
    const tabbed = await render('**Class**', '', ...method, '**Function**', '', ...handler);
    expect(shown(tabbed)).toMatchObject({
      ok: '(property) ok: boolean',
      tool: expect.stringContaining('ToolFunctionOptions'),
    });
    expect(tabbed).toContain('code-group');
  });

  it('have none in code that comes from no source file, and none that other libraries explain', async () => {
    expect(await render('```ts', 'const a = 1;', '```')).not.toContain('data-type');
    expect(shown(await render(...handler))).not.toHaveProperty('boolean');
  });

  it('leave the words of the code as they are', async () => {
    expect(copied(await render(...method))).toBe(copied(await render(...method.slice(1))));
  });
});
