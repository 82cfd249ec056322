/** `sigil migrate`: in whatever way and file a project names the old package, it is moved, or has a comment in the line above. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCaptured } from '../../../test/support/captured-cli';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

/** What becomes of the files of a project. */
async function moved<F extends string>(files: Readonly<Record<F, string>>): Promise<Record<F, string>> {
  const manifest = JSON.stringify({ dependencies: { '@rekog/mcp-nest': '^2.0.0' } });
  const folder = folders.make({ 'package.json': manifest, ...files });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
  const { stderr } = await runCaptured('migrate', 'mcp-nest', folder, '--write');
  expect(stderr).toBe('');
  const names = Object.keys(files) as F[];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])) as Record<F, string>;
}

const PLAIN = `import { McpController, Tool } from '@rekog/mcp-nest';
@McpController()
export class A {
  @Tool({ name: 'a', description: 'A' })
  a() {
    throw new Error('secret');
  }
}
`;

it.each(['import * as mcp from', 'import mcp from'])('%s the package is moved as its names are', async (imported) => {
  const { 'a.ts': now } = await moved({
    'a.ts': `${imported} '@rekog/mcp-nest';
import * as rpc from '@nestjs/microservices';
@mcp.McpController()
export class A {
  constructor(private readonly registry: mcp.McpRegistryService) {}
  @mcp.Tool({ name: 'a', description: 'A' }) @mcp.PublicTool()
  a(@rpc.Ctx() context: mcp.McpContext) {
    void context.reportProgress({ progress: 1 });
    throw new rpc.RpcException('told');
  }
}
`,
  });
  expect(now).toContain("import { Feature, McpContext, Public, Tool, ToolFailure } from '@sigil-mcp/core';");
  expect(now).toContain('@Feature()\nexport class A');
  expect(now).toContain(
    "@Tool('A', { name: 'a' }) @Public()\n  a(context: McpContext) {\n    void context.progress(1);",
  );
  expect(now).toContain("throw new ToolFailure('told')");
  expect(now.match(/TODO\(sigil\): (\w+)/g)).toEqual(['TODO(sigil): McpRegistryService']);
});

it.each(['a.ts', 'a.mts', 'a.cts', 'a.tsx'])(
  '%s is moved, with its byte order mark, line ends and tabs',
  async (name) => {
    const windows = (text: string): string => `\uFEFF${text.replaceAll('\n', '\r\n').replaceAll('  ', '\t')}`;
    const { [name]: now } = await moved({ [name]: windows(PLAIN) });
    expect(now).toBe(
      windows(PLAIN)
        .replace("{ McpController, Tool } from '@rekog/mcp-nest'", "{ Feature, Tool } from '@sigil-mcp/core'")
        .replace('McpController', 'Feature')
        .replace("{ name: 'a', description: 'A' }", "'A', { name: 'a' }"),
    );
  },
);

it.each([
  ["export { Tool } from '@rekog/mcp-nest';", 'Files that import these names from here are not moved'],
  ["export * from '@rekog/mcp-nest';", 'Files that import these names from here are not moved'],
  ["export type Context = import('@rekog/mcp-nest').McpContext;", 'What comes from @rekog/mcp-nest here is not moved'],
  ["export const later = () => import('@rekog/mcp-nest');", 'What comes from @rekog/mcp-nest here is not moved'],
  ["import mcp = require('@rekog/mcp-nest');", 'What comes from @rekog/mcp-nest here is not moved'],
  ["jest.mock('@rekog/mcp-nest/dist/mcp');", 'What comes from @rekog/mcp-nest here is not moved'],
])('%s is marked', async (line, reason) => {
  const { 'b.ts': now } = await moved({ 'a.ts': PLAIN, 'b.ts': `${line}\n` });
  expect(now).toMatch(new RegExp(`^// TODO\\(sigil\\): ${reason}.*\\n`));
  expect(now.endsWith(`\n${line}\n`)).toBe(true);
});

it('errors of version 2 stay masked in every file, also in a base class', async () => {
  const base = PLAIN.replace('@McpController()\nexport', 'export abstract').replace('McpController, ', '');
  const now = await moved({ 'a.ts': PLAIN, 'b.ts': base });
  expect(now['b.ts']).toContain("throw new Error('secret')");
});

it('options with computed names, getters and methods are marked, and names in brackets are read', async () => {
  const { 'a.ts': now } = await moved({
    'a.ts': PLAIN.replace(
      "  @Tool({ name: 'a', description: 'A' })",
      `  @Tool({
    ['name']: 'a',
    ["description"]: 'A',
    [KEY]: 1,
    get outputSchema() { return schema; },
  })`,
    ),
  });
  expect(now).toContain("@Tool('A', {\n    ['name']: 'a',\n    // TODO(sigil): Look at this option");
  expect(now.match(/TODO\(sigil\): Look at this option.*\n {4}(\[KEY\]|get output)/g)).toHaveLength(2);
});

it('options and results are read behind a type', async () => {
  const { 'a.ts': now } = await moved({
    'a.ts': `import { McpController, McpModule, McpStrategy, Tool } from '@rekog/mcp-nest';
@McpController()
export class A {
  @Tool({ name: 'a', description: 'A', outputSchema: schema } as const)
  a() {
    return { content: list, structuredContent: data } as Result;
  }
  @Tool({ description: 'B' } satisfies Options)
  b() {}
}
export const mcp = McpModule.forRoot({ name: 'a', version: '1' } as Options);
export const strategy = new McpStrategy({ name: 'a', version: '1' } satisfies Options);
`,
  });
  expect(now).toContain("@Tool('A', { name: 'a', output: schema } as const)");
  expect(now).toContain('return toolResult({ content: list, structured: data } as Result);');
  expect(now).toContain("@Tool('B')\n");
  expect(now).toContain("mcp = SigilModule.forRoot({ name: 'a', version: '1' } as Options)");
  expect(now).toContain("strategy = SigilModule.forRoot({ name: 'a', version: '1'");
  expect(now).not.toContain('McpStrategy');
});

it('a method with two decorators is moved once', async () => {
  const { 'a.ts': now } = await moved({
    'a.ts': `import { Prompt, Tool } from '@rekog/mcp-nest';
export class A {
  @Tool({ name: 'a', description: 'A' })
  @Prompt({ name: 'a', description: 'A' })
  a(_: unknown, context: any) {
    context.reportProgress({ progress: 1 });
  }
}
`,
  });
  expect(now).toContain(
    "@Tool('A', { name: 'a' })\n  @Prompt('A', { name: 'a' })\n  a(context: McpContext) {\n    context.progress(1);",
  );
});

it.each([
  ['has nothing to move', PLAIN, 1],
  ['is marked once', "export const a = [\n  () => import('@rekog/mcp-nest'),\n];\n", 0],
])('run again, a project that was moved %s', async (_, text, exit) => {
  const manifest = JSON.stringify({ dependencies: { '@rekog/mcp-nest': '^2.0.0' } });
  const folder = folders.make({ 'package.json': manifest, 'a.ts': text });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
  await runCaptured('migrate', 'mcp-nest', folder, '--write');
  const once = readFileSync(join(folder, 'a.ts'), 'utf8');
  const again = await runCaptured('migrate', 'mcp-nest', folder, '--write');
  expect([again.status, readFileSync(join(folder, 'a.ts'), 'utf8')]).toEqual([exit, once]);
});
