/** `sigil migrate`: what a user wrote around parameters and in comments is there afterwards, or has a comment in the line above. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCaptured } from '../../../test/support/captured-cli';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

async function moved(text: string): Promise<string> {
  const manifest = JSON.stringify({ dependencies: { '@rekog/mcp-nest': '^2.0.0', zod: '^4.3.0' } });
  const folder = folders.make({ 'package.json': manifest, 'src/a.ts': text });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
  const { stderr } = await runCaptured('migrate', 'mcp-nest', folder, '--write');
  expect(stderr).toBe('');
  return readFileSync(join(folder, 'src/a.ts'), 'utf8');
}

const classWith = (members: string): string => `import { ParseIntPipe, ValidationPipe } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, Resource, ResourceTemplate, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';

@McpController()
export class Tools {
${members}
}
`;

const tool = (parameters: string, input = 'n: z.number(), m: z.string()'): string =>
  classWith(`  @Tool({ name: 'a', description: 'A', parameters: z.object({ ${input} }) })
  a(${parameters}) {}`);

const LEFT = '  // TODO(sigil): A handler is given all arguments as one object';

describe('the arguments of @Payload', () => {
  it.each([
    ["@Payload('m') m: string", '{ m }: { m: string }'],
    ["@Payload('m') text: string", '{ m: text }: { m: string }'],
    ["@Payload('m') { length }: string", '{ m: { length } }: { m: string }'],
    ["@Payload('x-y') y: string", "{ 'x-y': y }: { 'x-y': string }"],
    ["@Payload('m') m?: string", '{ m }: { m?: string }'],
    ["@Payload('m') m = 'x'", "{ m = 'x' }: { m?: string }"],
    ["@Payload('n') n = 1", '{ n = 1 }: { n?: number }'],
    ["@Payload('n') n = true", '{ n = true }: { n?: boolean }'],
    ["@Payload('n') n = f()", '{ n = f() }: { n?: any }'],
    ["@Payload('m') m", '{ m }: { m: any }'],
    ["@Payload('n') n: number, @Payload('m') m: string", '{ n, m }: { n: number; m: string }'],
    ['@Payload(new ValidationPipe()) args: object', '@Body(new ValidationPipe()) args: object'],
    ['@Payload(ValidationPipe, TrimPipe) args: object', '@Body(ValidationPipe, TrimPipe) args: object'],
    ['@Payload() args: object', 'args: object'],
  ])('%s is %s', async (before, after) => {
    const now = await moved(tool(before));
    expect(now).toContain(`  a(${after}) {}`);
    expect(now).not.toContain('TODO(sigil)');
    expect(now).not.toContain('@nestjs/microservices');
  });

  it('are one parameter, whatever stands between them', async () => {
    const now = await moved(
      tool("@Payload('n') n: number, @Ctx() context: McpContext, @Payload('m') m: string").replace(
        '{}\n}',
        '{ context.log.info(n + m); }\n}',
      ),
    );
    expect(now).toContain('  a({ n, m }: { n: number; m: string }, context: McpContext) { context.log.info(n + m); }');
  });

  it.each([
    "@Payload('n', ParseIntPipe) n: number",
    "@Payload('n', ParseIntPipe) n: number, @Payload('m') m: string",
    '@Payload(NAME) n: number',
    '@Payload(nameOf(1)) n: number',
    "@Payload('n') @Checked() n: number",
    "@Payload() all: object, @Payload('m') m: string",
  ])('%s are left, with a comment', async (parameters) => {
    const now = await moved(tool(parameters));
    expect(now.split(LEFT)).toHaveLength(2);
    expect(now).toMatch(/https:\S+\n {2}a\(.*\) \{\}/);
    for (const [, name] of parameters.matchAll(/@Payload\(([^)]+)\)/g)) expect(now).toContain(`@Payload(${name})`);
    expect(now).toContain('@nestjs/microservices');
  });

  it('are variables of a template, but not its URI', async () => {
    const template = (parameters: string): string =>
      classWith(`  @ResourceTemplate({ name: 'a', uriTemplate: 'a://{id}' })\n  a(${parameters}) {}`);
    expect(await moved(template("@Payload('id') id: string"))).toContain('  a({ id }: { id: string }) {}');
    expect(await moved(template("@Payload('uri') uri: string"))).toContain(LEFT);
    expect(await moved(classWith("  @Resource({ uri: 'a://b' })\n  a(@Payload('uri') uri: string) {}"))).toContain(
      LEFT,
    );
    expect(await moved(classWith("  @Tool({ description: 'a' })\n  a(@Payload('m') m: string) {}"))).toContain(LEFT);
  });
});

it.each([
  ['{ uri, id: theId, sub }, ctx: McpContext', '{ id: theId, sub }, ctx: McpContext', 'uri + theId + sub', 'uri'],
  ['{ uri }, ctx, req', 'ctx: McpContext', 'uri', 'uri'],
  ['{ uri }, ctx, req', '@Req() req: McpRequest, ctx: McpContext', 'uri + req.url', 'uri'],
  ['{ uri: address }, ctx, req', 'ctx: McpContext', 'address + ctx.sessionId', 'uri: address'],
  ['args: { uri: string; id: string }, ctx', 'args: { id: string }, ctx: McpContext', 'args.uri + args.id', 'uri'],
  ['@Payload() { uri }: { uri: string }, @Ctx() ctx: McpContext', 'ctx: McpContext', 'uri', 'uri'],
])('the context through which a template reads its URI stays: (%s) is (%s)', async (before, after, read, taken) => {
  const entry = `  @ResourceTemplate({ name: 'a', uriTemplate: 'a://{id}/{sub}' })\n  a(${before}) {\n    return ${read};\n  }`;
  const now = await moved(classWith(entry));
  expect(now).toContain(`  a(${after}) {\n    const { ${taken} } = ctx.request.params as { uri: string };`);
  expect(now).toMatch(/import \{.*McpContext.*\} from '@sigil-mcp\/core'/);
});

it('other decorators of a parameter stay, with a comment', async () => {
  const now = await moved(tool('@Checked() @Payload() args: object'));
  expect(now).toMatch(/TODO\(sigil\): This parameter has other decorators.*\n {2}a\(@Checked\(\) args: object\)/);
});

it('every comment is there afterwards, and documents what it did', async () => {
  const text = `/* comment 0 */
import { // comment 1
  McpController, // comment 2
  McpContext, McpStrategy, Tool,
} from '@rekog/mcp-nest'; // comment 3
import { Ctx, Payload, RpcException /* comment 4 */ } from '@nestjs/microservices';
/** comment 5 */
@McpController(/* comment 6 */)
// comment 7
export class Tools {
  /** comment 8 */
  @Tool({
    // comment 9
    name: 'a', // comment 10
    /* comment 11 */
    description: 'A', // comment 12
    annotations: {
      // comment 13
      readOnlyHint: true, // comment 14
    },
    parameters: /* comment 15 */ schema,
  })
  // comment 16
  a(
    // comment 17
    @Payload() /* comment 18 */ args: object, // comment 19
    /* comment 20 */ @Ctx() context: McpContext, // comment 21
  ) {
    // comment 22
    context.reportProgress({ progress: 1, /* comment 23 */ total: 2 }); // comment 24
    throw new RpcException(/* comment 25 */ \`// no comment \${/* comment 26 */ args}\`);
  }
  @Tool({ description: 'b' })
  b(/* comment 27 */ @Payload() _args: unknown, @Ctx() _context: McpContext /* comment 28 */) {}
}
export const strategy = new McpStrategy({
  name: 'a', // comment 29
  version: '1',
  // comment 30
  transports: [], // comment 31
});
/** comment 32 */
app.connectMicroservice({ strategy }); // comment 33
const next = 1; // comment 34
`;
  const now = await moved(text);
  const found = [...now.matchAll(/comment (\d+)/g)].map(([, number]) => Number(number));
  expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 35 }, (_, index) => index));
  expect(now).toContain(
    '/** comment 5 */\n@Feature(/* comment 6 */)\n// comment 7\nexport class Tools {\n  /** comment 8 */',
  );
  expect(now).toContain('/** comment 32 */\n// comment 33\nconst next = 1; // comment 34');
  expect(now).toContain('throw new ToolFailure(`// no comment ${/* comment 26 */ args}`)');
});
