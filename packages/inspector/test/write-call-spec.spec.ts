/** A call of the page becomes a spec of the project. */
import type { JsonObject } from '@sigil-mcp/protocol';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeCallSpec } from '../src/page-api';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

function project(): string {
  const folder = folders.make({
    'package.json': '{ "name": "shelf" }',
    'src/server.ts': `import { createServer } from '@sigil-mcp/core';\nexport const server = createServer({ name: 'shelf', version: '1.0.0', features: [] });\n`,
  });
  mkdirSync(join(folder, 'node_modules'));
  const typescript = dirname(require.resolve('typescript/package.json'));
  symlinkSync(typescript, join(folder, 'node_modules', 'typescript'), 'dir');
  return folder;
}

const RESULT = { content: [{ type: 'text', text: 'It\'s "Emma"\n${1}' }] };

it('writes the arguments and the texts of a tool, and takes another name when there is one', () => {
  const folder = project();
  const body = { kind: 'tool', name: 'findBook', arguments: { title: 'Emma', 'a-b': [1, null] }, result: RESULT };
  expect(writeCallSpec(folder, body).file).toBe('test/find-book.spec.ts');
  expect(writeCallSpec(folder, body).file).toBe('test/find-book-2.spec.ts');
  const text = readFileSync(join(folder, 'test', 'find-book.spec.ts'), 'utf8');
  expect(text).toContain(`import { server } from '../src/server';`);
  expect(text).toContain(`await client.callTool('findBook', { title: 'Emma', 'a-b': [1, null] });`);
  expect(text).toContain(
    `expect(result).toMatchObject({ isError: false, content: [{ type: 'text', text: 'It\\'s "Emma"\\n\${1}' }] });`,
  );
});

it.each([
  ['resource', 'shelf://all', { contents: [{ uri: 'shelf://all', text: 'x' }] }, `client.readResource('shelf://all')`],
  ['prompt', 'recommend', { messages: [] }, `client.getPrompt('recommend', {})`],
])('writes a spec of a %s', (kind, name, result, code) => {
  expect(writeCallSpec(project(), { kind, name, result }).text).toContain(code);
});

it.each(['../../../etc/passwd', "'); process.exit(1); ('", '\\', '\n'])(
  'writes no file elsewhere, and no code, for the name %j',
  (name) => {
    const { file, text } = writeCallSpec(project(), { kind: 'tool', name, result: RESULT });
    expect(file).toMatch(/^test\/[\w-]+\.spec\.ts$/);
    expect(text).not.toMatch(/^\s*process\.exit/m);
    expect(text).toContain(JSON.stringify(name).slice(1, -1).replaceAll("'", "\\'"));
  },
);

it('writes every member as a member, and what nobody can see so that it can be seen', () => {
  const given = JSON.parse('{ "__proto__": { "isAdmin": true }, "a\u202eb": "\u2028" }') as JsonObject;
  const { text } = writeCallSpec(project(), { kind: 'tool', name: 'findBook', arguments: given, result: RESULT });
  expect(text).toContain(
    String.raw`client.callTool('findBook', { ['__proto__']: { isAdmin: true }, 'a\u202eb': '\u2028' });`,
  );
});
