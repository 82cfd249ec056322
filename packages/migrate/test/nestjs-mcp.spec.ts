/** `sigil migrate nestjs-mcp`: what its documentation describes is moved, and everything else is marked. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCaptured } from '../../../test/support/captured-cli';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

function project(text: string): string {
  const folder = folders.make({
    'package.json': JSON.stringify({ dependencies: { '@nestjs/mcp': '^0.0.1', zod: '^4.3.5' } }),
    'src/a.ts': text,
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
  return folder;
}

async function moved(text: string): Promise<string> {
  const folder = project(text);
  const { stderr } = await runCaptured('migrate', 'nestjs-mcp', folder, '--write');
  expect(stderr).toBe('');
  return readFileSync(join(folder, 'src/a.ts'), 'utf8');
}

const REMARK = 'This was written after the documentation of @nestjs/mcp 0.0.1, and not tried with the package.';

describe('sigil migrate nestjs-mcp', () => {
  const TOOL = `import { Tool } from '@nestjs/mcp';
import * as z from 'zod';
export class A {
  @Tool({ name: 'a', description: 'Does it', inputSchema: z.object({ id: z.string() }), annotations: { readOnlyHint: true } })
  a({ id }: { id: string }) { return id; }
}
`;

  it('moves a tool and its dependencies, and says after what it was written', async () => {
    const folder = project(TOOL);
    const { stdout } = await runCaptured('migrate', 'nestjs-mcp', folder, '--write');
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toContain(
      "@Tool('Does it', { name: 'a', input: z.object({ id: z.string() }), readOnly: true })",
    );
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
    expect([manifest.includes('@nestjs/mcp'), manifest.includes('@sigil-mcp/nest')]).toEqual([false, true]);
    expect(stdout).toContain(REMARK);
    const json = await runCaptured('migrate', 'nestjs-mcp', project(TOOL), '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ remark: expect.stringContaining(REMARK), counts: { tools: 1 } });
  });

  it.each([
    ['inputSchema: { id: z.string(), n: shared }', 'input: z.object({ id: z.string(), n: shared })'],
    ['inputSchema: {}', 'input: z.object({})'],
    ['outputSchema: { id: z.string() }', 'output: z.object({ id: z.string() })'],
    ["inputSchema: { type: 'object' }", "input: { type: 'object' }"],
    ['_meta: { id: z.string() }', 'meta: { id: z.string() }'],
  ])('moves %s', async (before, after) => {
    const now = await moved(TOOL.replace('inputSchema: z.object({ id: z.string() })', before));
    expect(now).toContain(`@Tool('Does it', { name: 'a', ${after}, readOnly: true })`);
  });

  it('names a folder without the package, and the command for it', async () => {
    const none = await runCaptured('migrate', 'nestjs-mcp', project(TOOL.replace('@nestjs/mcp', '@nestjs/mcp2')));
    expect(none.stderr).toMatch(/imports @nestjs\/mcp\..*sigil migrate nestjs-mcp <folder>/s);
  });

  it.each([
    ["path: 'tools/mcp'", "path: '/tools/mcp'"],
    ["path: 'mcp'", ''],
    ['path: false', 'http: false'],
    ['decorators: [UseGuards(A, B)]', 'endpointGuards: [A, B]'],
  ])('moves the option %s', async (before, after) => {
    const now = await moved(`import { McpModule } from '@nestjs/mcp';
export const mcp = McpModule.forRoot({ name: 'a', version: '1', ${before} });
`);
    const options = ["name: 'a'", "version: '1'", ...(after === '' ? [] : [after])];
    expect(now).toContain(`SigilModule.forRoot({ ${options.join(', ')} });`);
  });

  it('marks options, members of a context and names that it does not know', async () => {
    const now =
      await moved(`import { McpExecutionContext, McpModule, McpStdioServer, ResourceTemplate, Tool, type McpContext } from '@nestjs/mcp';
export const mcp = McpModule.forRoot({
  name: 'a',
  version: '1',
  authorization: { verifier },
  decorators: [Throttle()],
});
export class A {
  @Tool({ description: 'a' })
  a(_: unknown, context: McpContext) {
    return context.era;
  }
  @ResourceTemplate({ uriTemplate: 'a://{id}' })
  b(uri: URL) {
    return uri.href;
  }
}
export const stdio = McpStdioServer;
export const argumentsOf = (context: ExecutionContext) => McpExecutionContext.create(context).getArguments();
`);
    expect(now).toMatch(/TODO\(sigil\): There is no option authorization.*\n {2}authorization/);
    expect(now).toMatch(/TODO\(sigil\): There is no option decorators.*\n {2}decorators/);
    expect(now).toMatch(/a\(context: McpContext\) \{\n {4}\/\/ TODO\(sigil\): era: look for its counterpart/);
    expect(now).toMatch(/TODO\(sigil\): The first parameter is an object of the variables.*\n {2}b\(uri: URL\)/);
    expect(now).toMatch(
      /TODO\(sigil\): McpExecutionContext is that of @sigil-mcp\/nest now.*\nexport const argumentsOf/,
    );
    expect(now).toContain("import { McpExecutionContext, SigilModule } from '@sigil-mcp/nest';");
    expect(now).toMatch(/TODO\(sigil\): McpStdioServer: Write `stdio: true`.*\nexport const stdio/);
  });

  it('leaves errors, and custom transports of the program, as they are', async () => {
    const now = await moved(`import { Tool } from '@nestjs/mcp';
import { NestFactory } from '@nestjs/core';
export class A {
  @Tool({ description: 'a' }) a() { throw new Error('secret'); }
}
export async function start() {
  const app = await NestFactory.create(A);
  const strategy = new Queue();
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
}
`);
    expect(now).toContain("throw new Error('secret')");
    expect(now).toContain('app.connectMicroservice({ strategy });\n  await app.startAllMicroservices();');
  });
});
