import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Edits } from '../src/files/edits';
import { runCaptured } from '../../../test/support/captured-cli';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const MANIFEST = JSON.stringify({ dependencies: { '@rekog/mcp-nest': '^1.9.2', zod: '^4.0.0' } }, undefined, 2);

/** A project with the TypeScript of this repository. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = folders.make({ 'package.json': MANIFEST, ...files });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
  return folder;
}

const git = (cwd: string, ...args: string[]): void => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore' });
};

/** What becomes of one file, and what is said of it. */
async function moved(text: string, others: Readonly<Record<string, string>> = {}): Promise<readonly [string, string]> {
  const folder = project({ 'src/a.ts': text, ...others });
  const { stdout, stderr } = await runCaptured('migrate', 'mcp-nest', folder, '--write');
  expect(stderr).toBe('');
  return [readFileSync(join(folder, 'src/a.ts'), 'utf8'), stdout];
}

const toolIn = (body: string, imports = 'Tool'): string => `import { Injectable } from '@nestjs/common';
import { ${imports} } from '@rekog/mcp-nest';
import { z } from 'zod';

@Injectable()
export class Tools {
${body}
}
`;

const HELLO = toolIn(`  @Tool({ name: 'hello', description: 'Greets', parameters: z.object({ name: z.string() }) })
  hello({ name }: { name: string }) {
    return \`Hello, \${name}!\`; // stays
  }`);

describe('sigil migrate mcp-nest', () => {
  it('shows the change and the counts, and writes nothing', async () => {
    const folder = project({ 'src/a.ts': HELLO });
    const { status, stdout } = await runCaptured('migrate', 'mcp-nest', folder);
    expect(status).toBe(0);
    expect(stdout).toContain("-   @Tool({ name: 'hello', description: 'Greets', parameters: z.object({");
    expect(stdout).toContain("+   @Tool('Greets', { name: 'hello', input: z.object({");
    expect(stdout).toContain('Would change 2 files, +8 -4 lines: 1 tool.');
    expect(stdout).toContain('The folder is in no git repository');
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe(HELLO);
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(MANIFEST);
  });

  it('writes with --write, and changes dependencies with the imports', async () => {
    const folder = project({ 'src/a.ts': HELLO });
    await runCaptured('migrate', 'mcp-nest', folder, '--write');
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe(
      HELLO.replace("'@rekog/mcp-nest'", "'@sigil-mcp/core'").replace(
        "@Tool({ name: 'hello', description: 'Greets', parameters",
        "@Tool('Greets', { name: 'hello', input",
      ),
    );
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies)).not.toContain('@rekog/mcp-nest');
    expect(dependencies).toMatchObject({
      '@sigil-mcp/nest': expect.any(String),
      zod: '^4.2.0',
      'reflect-metadata': '^0.2.2',
    });
  });

  it('refuses to write over changes that are not committed, unless it is forced', async () => {
    const folder = project({ 'src/a.ts': HELLO, '.gitignore': 'node_modules\n' });
    git(folder, 'init', '--quiet');
    expect((await runCaptured('migrate', 'mcp-nest', folder, '--write')).stderr).toContain('are not committed');
    git(folder, 'add', '--all');
    const refused = await runCaptured('migrate', 'mcp-nest', folder, '--write');
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('has changes that are not committed');
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe(HELLO);
    git(folder, 'commit', '--quiet', '--message', 'x');
    expect((await runCaptured('migrate', 'mcp-nest', folder, '--write')).status).toBe(0);
    expect((await runCaptured('migrate', 'mcp-nest', folder, '--write', '--force')).stderr).toContain(
      'imports @rekog/mcp-nest',
    );
  });

  it('names a folder without MCP-Nest, and a file that does not parse', async () => {
    const none = await runCaptured('migrate', 'mcp-nest', project({ 'src/a.ts': '' }));
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('No file of')]);
    const folder = project({ 'src/a.ts': HELLO, 'src/b.ts': "import { Tool } from '@rekog/mcp-nest';\nclass {" });
    const broken = await runCaptured('migrate', 'mcp-nest', folder, '--write');
    expect(broken.stderr).toContain('src/b.ts:2');
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe(HELLO);
  });

  it('changes the dependencies of each package of a repository that is moved', async () => {
    const other = JSON.stringify({ dependencies: { express: '^5.0.0' } });
    const folder = project({
      'package.json': other,
      'packages/one/package.json': MANIFEST,
      'packages/one/src/a.ts': HELLO,
      'packages/two/package.json': other,
      'packages/two/a.ts': '',
    });
    await runCaptured('migrate', 'mcp-nest', folder, '--write');
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
    expect(read('packages/one/package.json')).toContain('@sigil-mcp/nest');
    expect(read('packages/one/package.json')).not.toContain('@rekog/mcp-nest');
    for (const path of ['package.json', 'packages/two/package.json']) expect(read(path)).toBe(other);
  });

  it('prints counts and what is left as JSON', async () => {
    const folder = project({ 'src/a.ts': HELLO });
    const { stdout } = await runCaptured('migrate', 'mcp-nest', folder, '--json');
    expect(JSON.parse(stdout)).toEqual({
      written: false,
      files: ['src/a.ts', 'package.json'],
      counts: { tools: 1 },
      notices: [],
    });
  });
});

describe('a moved file', () => {
  it('keeps line ends, quotes and comments', async () => {
    const text = HELLO.replaceAll("'", '"').replaceAll('\n', '\r\n');
    const [now] = await moved(text);
    expect(now).toBe(
      text
        .replace('"@rekog/mcp-nest"', '"@sigil-mcp/core"')
        .replace('@Tool({ name: "hello", description: "Greets", parameters', '@Tool("Greets", { name: "hello", input'),
    );
  });

  it('has other names where its own are taken', async () => {
    const [now] = await moved(
      `const Roles = 1;
import { Tool as McpTool, ToolRoles, PublicTool } from '@rekog/mcp-nest';
import { Public } from './public';
export class A {
  @McpTool({ description: 'a' }) @ToolRoles(['x', 'y'], { match: 'any' }) a() {}
  @McpTool({ description: 'b' }) @PublicTool() @Public() b() {}
}
`,
    );
    expect(now).toContain(
      "import { Public as SigilPublic, Roles as SigilRoles, Tool as McpTool, UseGuards as UseSigilGuards } from '@sigil-mcp/core';",
    );
    expect(now).toContain("@McpTool('a') @UseSigilGuards(SigilRoles('x', 'y')) a() {}");
    expect(now).toContain("@McpTool('b') @SigilPublic() @Public() b() {}");
  });

  it('comments on what it cannot move, and lists it', async () => {
    const [now, said] = await moved(
      toolIn(
        `  constructor(private readonly registry: McpRegistryService) {}

  @Tool(OPTIONS)
  opaque() {}

  @Tool({ name: 'asks', description: 'Asks' })
  async asks(_: unknown, context: Context) {
    return context.mcpServer.server.elicitInput({});
  }`,
        'Tool, Context, McpRegistryService',
      ),
    );
    expect(now).toContain(
      '  // TODO(sigil): Write the options of @Tool in place: its first argument is the description. https://sigil-mcp.github.io/sigil/how-to/from-mcp-nest\n  @Tool(OPTIONS)',
    );
    expect(now).toMatch(/ {4}\/\/ TODO\(sigil\): Ask the user with context\.elicit.*\n {4}return context\.mcpServer/);
    expect(said).toContain('To do by hand, and marked with TODO(sigil): 3');
    const lines = now.split('\n');
    for (const [, line] of said.matchAll(/src\/a\.ts:(\d+)/g)) expect(lines[Number(line) - 2]).toContain('TODO(sigil)');
  });

  it('keeps the authorization server of the old package, and says so', async () => {
    const folder = project({
      'src/a.ts': `import { McpAuthJwtGuard, McpAuthModule, McpModule, McpTransportType } from '@rekog/mcp-nest';
export const imports = [
  McpAuthModule.forRoot({}),
  McpModule.forRoot({ name: 'a', version: '1', transport: [McpTransportType.SSE], guards: [McpAuthJwtGuard], sseEndpoint: 'events' }),
];
`,
    });
    const { stdout } = await runCaptured('migrate', 'mcp-nest', folder, '--write');
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8'))
      .toBe(`import { McpAuthJwtGuard, McpAuthModule } from '@rekog/mcp-nest';
import { SigilModule } from '@sigil-mcp/nest';
export const imports = [
  McpAuthModule.forRoot({}),
  SigilModule.forRoot({ name: 'a', version: '1', http: { sse: { path: '/events' } }, endpointGuards: [McpAuthJwtGuard] }),
];
`);
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('@rekog/mcp-nest');
    expect(stdout).toContain('McpAuthJwtGuard, McpAuthModule stay');
  });
});

describe('a handler', () => {
  it('loses the parameters that it does not use', async () => {
    const [now] = await moved(
      toolIn(
        `  @Tool({ description: 'a' }) a(_args: unknown, _context: Context, request: Request) { return request.url; }
  @Tool({ description: 'b' }) b(_args: unknown, context: any) { context.log.warn('x', this.b); }
  @Tool({ description: 'c' }) c(args: {}, context: Context) {}`,
        'Tool, Context',
      ),
    );
    expect(now).toContain("@Tool('a') a(@Req() request: Request) { return request.url; }");
    expect(now).toContain("@Tool('b') b(context: McpContext) { context.log.warning('x', { data: this.b }); }");
    expect(now).toContain("@Tool('c') c() {}");
  });

  it('reports progress and reads its request in the words of Sigil', async () => {
    const [now] = await moved(
      toolIn(
        `  @Tool({ description: 'a', parameters: z.object({}) })
  async a(args: object, ctx: Context) {
    await ctx.reportProgress({ progress: 1, message: 'x' });
    const token = ctx.mcpRequest.params._meta?.progressToken;
    return [token, ctx.mcpRequest.method];
  }`,
        'Tool, Context',
      ),
    );
    expect(now).toContain("await ctx.progress(1, undefined, 'x');");
    expect(now).toContain('const token = ctx.request.meta?.progressToken;');
    expect(now).toContain('return [token, ctx.request.method];');
  });

  it('with a class as its parameter, and no schema, is marked: the class would be its schema', async () => {
    const [now] = await moved(toolIn("  @Tool({ description: 'a' })\n  a(dto: Dto) { return dto; }"));
    expect(now).toMatch(/TODO\(sigil\): Its first parameter .* its class is the schema now.*\n {2}@Tool\('a'\)/);
  });

  it('that takes its context apart, or gives it another name, is marked', async () => {
    const [now] = await moved(
      toolIn(
        `  @Tool({ description: 'a', parameters: z.object({}) })
  a(args: object, { reportProgress }: Context) { return reportProgress({ progress: 1 }); }
  @Tool({ description: 'b', parameters: z.object({}) })
  b(args: object, { reportProgress }) { return reportProgress({ progress: 1 }); }
  @Tool({ description: 'c', parameters: z.object({}) })
  c(args: object, context: Context) {
    const { mcpRequest } = context;
    const same = context;
    return [context['mcpRequest'], help(context)];
  }`,
        'Tool, Context',
      ),
    );
    const marked = now
      .match(/TODO\(sigil\): Compare what you read of it.*\n.*/g)
      ?.map((each) => each.split('\n')[1]?.trim());
    expect(marked).toEqual([
      'a(args: object, { reportProgress }: McpContext) { return reportProgress({ progress: 1 }); }',
      'b(args: object, { reportProgress }) { return reportProgress({ progress: 1 }); }',
      'const { mcpRequest } = context;',
      'const same = context;',
      "return [context['mcpRequest'], help(context)];",
    ]);
  });

  it('returns parts of a result that it returns itself, and not those of functions within it', async () => {
    const [now] = await moved(
      toolIn(
        `  @Tool({ description: 'a', outputSchema: z.object({}) })
  a(list: string[]) {
    const texts = list.map((each) => { return { content: each }; });
    const whole = { content: texts, structuredContent: {} };
    if (list.length > 9) return whole;
    return texts.length > 0 ? { content: texts } : ({ content: [], structuredContent: {} });
  }
  @Tool({ description: 'b' })
  b(list: string[]) {
    return { content: list.map((text) => { return { content: text }; }) };
  }`,
      ),
    );
    expect(now).toContain('return { content: each }; });');
    expect(now).toMatch(
      /TODO\(sigil\): Return toolResult.*in place of whole\..*\n {4}if \(list\.length > 9\) return whole;/,
    );
    expect(now).toContain(
      'return texts.length > 0 ? toolResult({ content: texts }) : toolResult(({ content: [], structured: {} }));',
    );
    expect(now).toContain('return toolResult({ content: list.map((text) => { return { content: text }; }) });');
  });

  it.each([
    [
      '(args: { uri: string }) { const f = (args: { uri: string }) => args.uri; return f(args.uri); }',
      'const { uri } =',
      'f = (args: { uri: string }) => args.uri; return f(uri);',
    ],
    [
      '(args: { uri: string }) { const uri = args.uri; return uri; }',
      'const { uri: resourceUri } =',
      'const uri = resourceUri; return uri;',
    ],
    [
      "({ uri }: { uri: string }) { const context = 'mine'; return context + uri; }",
      'const { uri } = mcpContext.',
      "const context = 'mine'; return context + uri;",
    ],
  ])('of a resource %s means the same names', async (before, read, after) => {
    const [now] = await moved(toolIn(`  @Resource({ uri: 'a://b' })\n  a${before}`, 'Resource'));
    expect(now).toContain(read);
    expect(now).toContain(after);
  });

  it('moves its own context, and not what a function within it calls so', async () => {
    const [now] = await moved(
      toolIn(
        `  @Tool({ description: 'a', parameters: z.object({}) })
  a(args: object, context: Context) {
    const other = (context: Other) => context.reportProgress({ progress: 1 });
    { const context = other; context.reportProgress({ progress: 2 }); }
    context.reportProgress({ progress: 3 });
  }`,
        'Tool, Context',
      ),
    );
    expect(now).toContain('(context: Other) => context.reportProgress({ progress: 1 });');
    expect(now).toContain('context.reportProgress({ progress: 2 });');
    expect(now).toContain('    context.progress(3);');
  });

  it('of a resource with variables is that of a template', async () => {
    const [now] = await moved(
      toolIn(
        "  @Resource({ uri: 'files://{path}', name: 'a' })\n  a({ uri, path }) { return uri + path; }",
        'Resource',
      ),
    );
    expect(now).toContain("@Resource('files://{path}', { input: z.object({ path: z.string() }), name: 'a' })");
    expect(now).toContain('a({ path }, context: McpContext) {');
  });

  it('of a template has a schema of its variables, without the URI', async () => {
    const [now] = await moved(
      toolIn(
        `  @ResourceTemplate({ uriTemplate: 'files://{path*}{?version}' })
  a({ path, version }: { path: string; version?: string }) { return path + version; }`,
        'ResourceTemplate',
      ),
    );
    expect(now).toContain(
      "@Resource('files://{+path}{?version}', { input: z.object({ path: z.string(), version: z.string().optional() }) })",
    );
  });
});

describe('modules', () => {
  const modules = (imports: string, providers = ''): string => `import { Module } from '@nestjs/common';
import { McpModule } from '@rekog/mcp-nest';
@Module({
  imports: [${imports}],${providers}
})
export class AppModule {}
`;

  it('moves options that a factory makes', async () => {
    const [now] = await moved(
      modules(
        "McpModule.forRootAsync({ imports: [Config], inject: [Service], useFactory: (s: Service) => ({ name: s.name, version: '1', apiPrefix: 'api', streamableHttp: { statelessMode: true } }) })",
      ),
    );
    expect(now).toContain(
      "SigilModule.forRootAsync({ imports: [Config], inject: [Service], useFactory: (s: Service) => ({ name: s.name, version: '1', path: '/api/mcp', http: { sessions: false } }) })",
    );
  });

  it('takes forFeature out where the classes are providers, and keeps it elsewhere', async () => {
    const [inside] = await moved(modules("Other, McpModule.forFeature([A, B], 'main')", '\n  providers: [A, B],'));
    expect(inside).toContain('imports: [Other],');
    const [outside] = await moved(modules("McpModule.forFeature([A], 'main')"));
    expect(outside).toContain('imports: [SigilModule.forFeature([A])],');
  });

  it('lists options whose work the server does', async () => {
    const options = "capabilities: { tools: {} }, streamableHttp: { sessionIdGenerator: () => '1' }";
    const [now, said] = await moved(modules(`McpModule.forRoot({ name: 'a', version: '1', ${options} })`));
    expect(now).toContain("SigilModule.forRoot({ name: 'a', version: '1' })");
    expect(said).toContain('The server chooses ids of sessions and how it answers.');
    expect(said).toContain('What is there at the start is announced.');
  });

  it('lists options that are not there', async () => {
    const [now, said] = await moved(modules("McpModule.forRoot({ name: 'a', version: '1', serverMutator: wrap })"));
    expect(now).toContain("SigilModule.forRoot({ name: 'a', version: '1', serverMutator: wrap })");
    expect(now).toContain('// TODO(sigil): There is no option serverMutator');
    expect(said).toContain('HTTP+SSE and stdio were served, too');
  });
});

describe('guards', () => {
  it.each([
    ["['x', 'y']", "@UseSigilGuards(Roles('x'), Roles('y'))"],
    ["['x', 'y'], { match: 'all' }", "@UseSigilGuards(Roles('x'), Roles('y'))"],
    ["['x', 'y'], { match: 'any' } as const", "@UseSigilGuards(Roles('x', 'y'))"],
    ["['x', 'y'], { match: 'any' as const }", "@UseSigilGuards(Roles('x', 'y'))"],
    ["['x', 'y'], ANY", "@ToolRoles(['x', 'y'], ANY)"],
    ["['x', 'y'], { match: many ? 'all' : 'any' }", "@ToolRoles(['x', 'y'], { match: many ? 'all' : 'any' })"],
    ["['x', 'y'], { ...shared }", "@ToolRoles(['x', 'y'], { ...shared })"],
  ])('with the roles %s require as many as before, or are marked', async (before, after) => {
    const [now] = await moved(
      toolIn(`  @Tool({ description: 'a' })\n  @ToolRoles(${before})\n  a() {}`, 'Tool, ToolRoles'),
    );
    expect(now).toContain(`  ${after}\n  a() {}`);
    expect(now.includes('TODO(sigil): Write @UseGuards(Roles(...))')).toBe(after.startsWith('@ToolRoles'));
  });

  it('run around the method, and find the request in calls', async () => {
    const guard = `import { CanActivate, ExecutionContext } from '@nestjs/common';
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    return context.switchToHttp().getRequest<{ user?: object }>().user !== undefined;
  }
}
`;
    const folder = project({
      'src/a.ts': toolIn(
        "  @Tool({ description: 'a' })\n  @ToolGuards([AdminGuard])\n  @ToolScopes(['x:read'])\n  a() {}",
        'Tool, ToolGuards, ToolScopes',
      ),
      'src/guard.ts': guard,
      'src/unrelated.guard.ts': guard.replace('AdminGuard', 'OtherGuard'),
    });
    const { stdout } = await runCaptured('migrate', 'mcp-nest', folder, '--write');
    const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
    expect(read('src/a.ts')).toContain("@Tool('a')\n  @UseGuards(AdminGuard)\n  @Scopes('x:read')\n  a() {}");
    expect(read('src/a.ts')).toContain("import { Injectable, UseGuards } from '@nestjs/common';");
    expect(read('src/guard.ts')).toContain(
      'return McpExecutionContext.requestOf<{ user?: object }>(context).user !== undefined;',
    );
    expect(read('src/unrelated.guard.ts')).toContain('switchToHttp');
    expect(stdout).toContain('hide the tool from those whom they refuse');
  });
});

it('says the differences between edits by the positions of the text as it was', () => {
  const edits = new Edits();
  edits.replace(2, 4, 'XYZ');
  edits.replace(3, 4, 'never');
  edits.insert(2, '+');
  edits.insert(6, '-');
  expect(edits.apply('0123456789')).toBe('01+XYZ45-6789');
  expect([edits.moved(0), edits.moved(5), edits.moved(9), edits.outside(3)]).toEqual([0, 7, 12, 2]);
});
