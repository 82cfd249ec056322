/** Programs of MCP-Nest 2 over several files: strategies, the calls that connected them, and the classes that each of them served. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCaptured } from '../../../test/support/captured-cli';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

/** What becomes of the files of a project, and what is said of them. */
async function moved(files: Readonly<Record<string, string>>): Promise<(path: string) => string> {
  const folder = folders.make({ 'package.json': '{}', ...files });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
  const { stdout, stderr } = await runCaptured('migrate', 'mcp-nest', folder, '--write');
  expect(stderr).toBe('');
  return (path) => (path === 'said' ? stdout : readFileSync(join(folder, path), 'utf8'));
}

const tools = (name: string, controller: string): string => `import { McpController, Tool } from '@rekog/mcp-nest';
@McpController(${controller})
export class ${name} {
  @Tool({ description: 'a' }) a() {}
}
`;

const MAIN = `import { NestFactory } from '@nestjs/core';
import { AppModule, strategy } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  const httpAdapter = app.getHttpAdapter();
  strategy.setHttpAdapter(httpAdapter);
  app.connectMicroservice({ strategy } as any);
  await app.startAllMicroservices();
  await app.listen(3000);
}
void bootstrap();
`;

describe('a strategy', () => {
  it('that another file exports is disconnected there, and what only that needed is taken out', async () => {
    const read = await moved({
      'src/app.module.ts': `import { Module } from '@nestjs/common';
import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
export const strategy = new McpStrategy({ name: 'a', version: '1', transports: [new StreamableHttpTransport()] });
@Module({})
export class AppModule {}
`,
      'src/main.ts': MAIN,
    });
    expect(read('src/app.module.ts')).toContain(
      "export const strategy = SigilModule.forRoot({ name: 'a', version: '1' });",
    );
    expect(read('src/main.ts')).toBe(`import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(3000);
}
void bootstrap();
`);
    expect(read('said')).not.toContain('To do by hand');
  });

  it('is marked wherever it is used otherwise, in every file, through an alias, too', async () => {
    const read = await moved({
      'src/mcp.ts': `import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
export const strategy = new McpStrategy({ name: 'a', version: '1', transports: [new StreamableHttpTransport()] });
`,
      'src/late.ts': `import { strategy as mcp } from './mcp';
export function addLater(): void {
  console.log('adds');
  mcp.registerTool({ name: 'late', description: 'Late', handler: () => 1 });
}
export const provider = {
  provide: 'STRATEGY',
  useValue: mcp,
};
`,
    });
    expect(read('src/late.ts')).toMatch(
      /console\.log\('adds'\);\n {2}\/\/ TODO\(sigil\): mcp is .*\n {2}mcp\.registerTool/,
    );
    expect(read('src/late.ts')).toMatch(/provide: 'STRATEGY',\n {2}\/\/ TODO\(sigil\): mcp is .*\n {2}useValue: mcp,/);
  });

  it('whose token a module exports is taken out there', async () => {
    const read = await moved({
      'src/a.ts': `import { Module } from '@nestjs/common';
import { MCP_STRATEGY, McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
const mcp = new McpStrategy({ name: 'a', version: '1', transports: [new StreamableHttpTransport()] });
@Module({
  providers: [{ provide: MCP_STRATEGY, useValue: mcp }],
  exports: [MCP_STRATEGY],
})
export class ServerModule {}
`,
    });
    expect(read('src/a.ts')).toContain('@Module({\n  imports: [mcp],\n})');
  });
});

describe('two strategies', () => {
  const STRATEGIES = (server = ''): string => `export const one = new McpStrategy({
  name: 'one',
  version: '1',${server && `\n  server: 'first',`}
  transports: [new StreamableHttpTransport({ endpoint: '/one' })],
});
export const two = new McpStrategy({ name: 'two', version: '1', transports: [new StreamableHttpTransport({ endpoint: '/two' })] });
`;

  it('are imported once, and each names the classes that it served', async () => {
    const read = await moved({
      'src/app.module.ts': `import { Module } from '@nestjs/common';
import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { FirstModule } from './first/first.module';
${STRATEGIES('first')}@Module({ imports: [FirstModule] })
export class AppModule {}
`,
      'src/first/first.module.ts': `import { Module } from '@nestjs/common';
import { FirstTools } from './first.tools';
import { OtherTools } from '../other.tools';
@Module({ controllers: [FirstTools, OtherTools] })
export class FirstModule {}
`,
      'src/first/first.tools.ts': tools('FirstTools', "{ server: 'first' }"),
      'src/other.tools.ts': tools('OtherTools', ''),
    });
    expect(read('src/app.module.ts')).toBe(`import { Module } from '@nestjs/common';
import { SigilModule } from '@sigil-mcp/nest';
import { FirstModule } from './first/first.module';
import { FirstTools } from './first/first.tools';
import { OtherTools } from './other.tools';
export const one = SigilModule.forRoot({
  name: 'one',
  version: '1',
  path: '/one',
  features: [FirstTools],
});
export const two = SigilModule.forRoot({ name: 'two', version: '1', path: '/two', features: [OtherTools] });
@Module({ imports: [one, two, FirstModule] })
export class AppModule {}
`);
    expect(read('src/first/first.module.ts')).toContain('@Module({ providers: [FirstTools, OtherTools] })');
    expect(read('src/first/first.tools.ts')).toContain('@Feature()\nexport class FirstTools');
    expect(read('said')).not.toContain('To do by hand');
  });

  it('have a module of their own where the module has classes that only one of them may serve', async () => {
    const read = await moved({
      'src/app.module.ts': `import { Module } from '@nestjs/common';
import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { OtherTools } from './other.tools';
${STRATEGIES()}@Module({
  controllers: [OtherTools],
})
export class AppModule {}
`,
      'src/other.tools.ts': tools('OtherTools', ''),
    });
    expect(read('src/app.module.ts')).toContain(`
@Module({ imports: [one, two] })
class McpServers {}

@Module({
  imports: [McpServers],
  providers: [OtherTools],
})
export class AppModule {}
`);
    expect(read('src/app.module.ts').match(/features: \[OtherTools\]/g)).toHaveLength(2);
  });

  it('are marked where a class stands behind them in their own file', async () => {
    const read = await moved({
      'src/app.module.ts': `import { Module } from '@nestjs/common';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
${STRATEGIES()}@McpController()
class Local {
  @Tool({ description: 'a' }) a() {}
}
@Module({ controllers: [Local] })
export class AppModule {}
`,
    });
    expect(read('src/app.module.ts')).toMatch(/\/\/ TODO\(sigil\): Name Local in the option features/);
    expect(read('src/app.module.ts')).not.toContain('features: [Local]');
  });
});

describe('a program of version 2', () => {
  it('keeps errors that were masked, and moves those that the model read', async () => {
    const read = await moved({
      'src/a.ts': `import { McpController, Tool } from '@rekog/mcp-nest';
import { RpcException } from '@nestjs/microservices';
@McpController()
export class A {
  @Tool({ description: 'a' }) a() { throw new Error('secret'); }
  @Tool({ description: 'b' }) b() { throw new RpcException('told'); }
}
`,
    });
    expect(read('src/a.ts')).toContain("throw new Error('secret')");
    expect(read('src/a.ts')).toContain("throw new ToolFailure('told')");
  });

  it('is told where the injected request is another one, and what was read of it', async () => {
    const read = await moved({
      'src/a.ts': `import { Inject, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { McpController, Tool } from '@rekog/mcp-nest';
@McpController({ scope: Scope.REQUEST })
export class A {
  constructor(@Inject(REQUEST) private readonly request: any) {}

  @Tool({ description: 'a' })
  a() {
    const agent = this.request
      .getContext()
      .getRawRequest();
    return agent;
  }
}
`,
      'src/tenant.ts': `import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
@Injectable({ scope: Scope.REQUEST })
export class Tenant {
  constructor(@Inject(REQUEST) readonly request: any) {}
}
`,
    });
    const marked = /\/\/ TODO\(sigil\): REQUEST is .*\n {2}constructor\(@Inject\(REQUEST\)/;
    expect(read('src/a.ts')).toMatch(marked);
    expect(read('src/a.ts')).toMatch(/\/\/ TODO\(sigil\): REQUEST has no getContext.*\n {6}\.getContext\(\)/);
    expect(read('src/tenant.ts')).not.toContain('TODO');
    expect(read('said')).toMatch(/src\/tenant\.ts:5 {2}REQUEST is/);
  });

  it('has guards that find the request through a context in a constant', async () => {
    const read = await moved({
      'src/a.ts': `import { CanActivate, ExecutionContext, UseGuards } from '@nestjs/common';
import { McpContext, McpController, Tool } from '@rekog/mcp-nest';
class Admin implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const ctx = context.switchToRpc().getContext<McpContext>();
    const request = ctx.getRawRequest<{ user?: object }>();
    return request?.user !== undefined;
  }
}
@McpController()
export class A {
  @Tool({ description: 'a' }) @UseGuards(Admin) a() {}
}
`,
    });
    expect(read('src/a.ts')).toContain('const request = McpExecutionContext.requestOf<{ user?: object }>(context);');
  });

  it('says that a resource which always fails returns never', async () => {
    const read = await moved({
      'src/a.ts': `import { McpController, Prompt, Resource } from '@rekog/mcp-nest';
@McpController()
export class A {
  @Resource({ uri: 'a://a' }) async a() { throw new TypeError('x'); }
  @Prompt({ description: 'b' }) b() { throw new TypeError('x'); }
  @Resource({ uri: 'a://c' }) c() { if (Date.now() > 1) throw new TypeError('x'); return 'x'; }
}
`,
    });
    expect(read('src/a.ts')).toContain("async a(): Promise<never> { throw new TypeError('x'); }");
    expect(read('src/a.ts')).toContain("b(): never { throw new TypeError('x'); }");
    expect(read('src/a.ts')).toContain('c() { if');
  });
});

describe('a comment', () => {
  it('stands above the line that it is about, within a statement, too', async () => {
    const read = await moved({
      'src/a.ts': `import { McpStrategy, PromptResult, StreamableHttpTransport, normalizeEndpoint } from '@rekog/mcp-nest';
export const strategy = new McpStrategy({
  name: 'a',
  version: '1',
  transports: [new StreamableHttpTransport()],
  serverMutator: (server) => server,
});
export const table = {
  one: 1,
  path: normalizeEndpoint('a'),
  text: \`
    \${normalizeEndpoint('b')}
  \`,
};
`,
    });
    const text = read('src/a.ts');
    expect(text).toMatch(/\/\/ TODO\(sigil\): There is no option serverMutator.*\n {2}serverMutator:/);
    expect(text).toMatch(/one: 1,\n {2}\/\/ TODO\(sigil\): normalizeEndpoint.*\n {2}path: normalizeEndpoint/);
    expect(text).toMatch(/\/\/ TODO\(sigil\): normalizeEndpoint.*\n {2}text: `\n {4}\$\{normalizeEndpoint/);
    const lines = text.split('\n');
    const listed = [...read('said').matchAll(/src\/a\.ts:(\d+)/g)].map(([, line]) => Number(line));
    // Within a text the comment stands above its first line.
    expect(listed.map((line) => lines[line - 2]?.includes('TODO'))).toEqual([true, true, true, false]);
  });
});

it('a project with two programs, each with a strategy of its own, has two servers that name no classes', async () => {
  const program = (endpoint: string): string => `import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { Tools } from './tools';
const strategy = new McpStrategy({ name: 'a', version: '1', transports: [new StreamableHttpTransport({ endpoint: '${endpoint}' })] });
@Module({ controllers: [Tools] })
class AppModule {}
async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.connectMicroservice({ strategy });
}
void bootstrap();
`;
  const read = await moved({
    'src/one.ts': program('/one'),
    'src/two.ts': program('/two'),
    'src/tools.ts': tools('Tools', ''),
  });
  expect(read('src/one.ts')).toContain('@Module({ imports: [strategy], providers: [Tools] })');
  expect(read('src/two.ts')).not.toContain('features');
});

it('strategies of two files that one program connects share the classes', async () => {
  const strategy = (name: string): string => `import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
export const ${name} = new McpStrategy({ name: '${name}', version: '1', transports: [new StreamableHttpTransport({ endpoint: '/${name}' })] });
`;
  const read = await moved({
    'src/one.ts': strategy('one'),
    'src/two.ts': strategy('two'),
    'src/tools.ts': tools('Tools', ''),
    'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { one } from './one';
import { two as second } from './two';
async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  app.connectMicroservice({ strategy: one });
  app.connectMicroservice({ strategy: second });
}
`,
  });
  expect(read('src/one.ts')).toContain('features: [Tools]');
  expect(read('src/two.ts')).toContain('features: [Tools]');
  expect(read('src/main.ts')).not.toMatch(/connectMicroservice|second/);
});

describe('a module whose lists are not written in place', () => {
  const file = (metadata: string): Record<string, string> => ({
    'src/a.ts': `import { Module } from '@nestjs/common';
import { MCP_STRATEGY, McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
const mcp = new McpStrategy({ name: 'a', version: '1', transports: [new StreamableHttpTransport()] });
@McpController()
class Tools {
  @Tool({ description: 'a' }) a() {}
}
@Module(${metadata})
export class AppModule {}
`,
  });

  it.each([
    ['{ imports: SHARED, controllers: [Tools] }', '{ imports: [mcp, ...SHARED], providers: [Tools] }'],
    ['{ imports, controllers: [Tools] }', '{ imports: [mcp, ...imports], providers: [Tools] }'],
    [
      '{ imports: on ? A : B, controllers: [Tools], providers: SHARED }',
      '{ imports: [mcp, ...(on ? A : B)], providers: [Tools, ...SHARED] }',
    ],
    [
      '{ controllers: [Tools, Other], providers }',
      '{ imports: [mcp], controllers: [Other], providers: [Tools, ...providers] }',
    ],
    ['{}', '{ imports: [mcp] }'],
  ])('%s has each list once', async (before, after) => {
    expect((await moved(file(before)))('src/a.ts')).toContain(`@Module(${after})`);
  });

  it.each([
    '{ controllers: CONTROLLERS }',
    '{ controllers: [...CONTROLLERS] }',
    '{ controllers: [on ? Tools : Other] }',
  ])('%s is marked, because its classes are no controllers of Nest any more', async (metadata) => {
    const text = (await moved(file(metadata)))('src/a.ts');
    expect(text).toMatch(
      /\/\/ TODO\(sigil\): Put the classes that had @McpController among the providers.*\n@Module\(/,
    );
  });
});

it('two strategies have the guards and paths of their own controllers', async () => {
  const read = await moved({
    'src/a.ts': `import { Controller, Module, UseGuards } from '@nestjs/common';
import { McpHttpControllerFor, McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
const open = new StreamableHttpTransport();
const closed = new StreamableHttpTransport();
const one = new McpStrategy({ name: 'one', version: '1', server: 'one', transports: [open] });
const two = new McpStrategy({ name: 'two', version: '1', server: 'two', transports: [closed] });
@Controller('closed')
@UseGuards(Staff)
class Closed extends McpHttpControllerFor(closed) {}

@Controller('open')
class Open extends McpHttpControllerFor(open) {}

@Module({ controllers: [Open, Closed] })
class AppModule {}
`,
  });
  expect(read('src/a.ts')).toContain("const one = SigilModule.forRoot({ name: 'one', version: '1', path: '/open' });");
  expect(read('src/a.ts')).toContain(
    "const two = SigilModule.forRoot({ name: 'two', version: '1', path: '/closed', endpointGuards: [Staff] });",
  );
  expect(read('src/a.ts')).not.toMatch(/McpHttpControllerFor|StreamableHttpTransport/);
});

it('a strategy that its file does not export is not looked for in others', async () => {
  const read = await moved({
    'src/a.ts': `import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
const mcp = new McpStrategy({ name: 'a', version: '1', transports: [new StreamableHttpTransport()] });
const main = mcp;
export { main };
`,
    'src/other.ts': `import { mcp } from 'another-package';
mcp.setHttpAdapter(1);
`,
  });
  expect(read('src/a.ts')).toMatch(/TODO\(sigil\): mcp is the module of its server now.*\nconst main = mcp/);
  expect(read('src/other.ts')).toContain('mcp.setHttpAdapter(1);');
});
