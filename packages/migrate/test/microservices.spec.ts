/** `sigil migrate` of MCP-Nest 2: calls were microservices, and what decides by that goes on deciding the same, or is marked. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCaptured } from '../../../test/support/captured-cli';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const TOOLS = `import { UseGuards } from '@nestjs/common';
import { McpController, Tool } from '@rekog/mcp-nest';
import { Own } from './b';
@McpController()
@UseGuards(Own)
export class Tools {
  @Tool({ name: 'a', description: 'A' })
  a() {}
}
`;

/** What becomes of a second file, next to one with a guarded tool. */
async function movedBeside(text: string, tools = TOOLS): Promise<string> {
  const folder = folders.make({ 'package.json': '{}', 'a.ts': tools, 'b.ts': text });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
  const { stderr } = await runCaptured('migrate', 'mcp-nest', folder, '--write');
  expect(stderr).toBe('');
  return readFileSync(join(folder, 'b.ts'), 'utf8');
}

const guard = (name: string, line: string): string => `import { CanActivate, ExecutionContext } from '@nestjs/common';
export class ${name} implements CanActivate {
  canActivate(context: ExecutionContext) {
    ${line}
  }
}
`;

describe('a guard around tools', () => {
  it.each([
    [
      'return context.switchToRpc().getData().n > 1;',
      'return McpExecutionContext.create(context).getData<any>().n > 1;',
    ],
    [
      'return context.switchToRpc().getData<Args>().n;',
      'return McpExecutionContext.create(context).getData<Args>().n;',
    ],
    [
      'return context.switchToRpc().getContext().getRawRequest().ok;',
      'return McpExecutionContext.requestOf(context).ok;',
    ],
  ])('%s decides by the same value', async (before, after) => {
    const now = await movedBeside(guard('Own', before));
    expect(now).toContain(`    ${after}\n`);
    expect(now).toContain("import { McpExecutionContext } from '@sigil-mcp/nest';");
    expect(now).not.toContain('TODO(sigil)');
  });

  it.each([
    'return context.switchToRpc().getContext().mcpRequest.ok;',
    "return context.getType() !== 'rpc';",
    "return context.getType() === 'http';",
  ])('%s is marked', async (line) => {
    const now = await movedBeside(guard('Own', line));
    expect(now).toMatch(/^ {4}\/\/ TODO\(sigil\): .*\n {4}return context\./m);
    expect(now).toContain(line);
    expect(now.split('TODO(sigil)')).toHaveLength(2);
  });
});

describe('a class through which calls may come', () => {
  it.each([
    'return context.switchToRpc().getData().n > 1;',
    "return context.getType() !== 'rpc';",
    "switch (context.getType()) { case 'rpc': return false; default: return true; }",
  ])('is marked for %s', async (line) => {
    const now = await movedBeside(guard('Everywhere', line));
    expect(now).toMatch(/^ {4}\/\/ TODO\(sigil\): /m);
    expect(now).toContain(line);
  });

  it('is left as it is in a project of version 1, which had routes', async () => {
    const text = guard('Everywhere', "return context.getType() !== 'rpc';");
    expect(await movedBeside(text, TOOLS.replaceAll('McpController', 'Injectable'))).toBe(text);
  });
});
