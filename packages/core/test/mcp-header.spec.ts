/** `@McpHeader`: listed with the tool, kept in its entry, answered by the kernel, refused where it means nothing. */
import {
  Complete,
  DefinitionError,
  Feature,
  McpHeader,
  Nullable,
  Prompt,
  Resource,
  Tool,
  createServer,
  type DefinitionProblem,
  type Server,
  type ServerOptions,
  type Transport,
} from '@sigil-mcp/core';
import { ANONYMOUS, type Kernel, type TransportHost } from '@sigil-mcp/core/adapter';
import { RunningCalls, type MirroredArgument } from '@sigil-mcp/core/internal';
import { META_KEYS, NEWEST_PER_REQUEST_REVISION } from '@sigil-mcp/protocol';
import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, ValidateNested } from 'class-validator';

class Shard {
  @McpHeader('Shard') @IsInt() index!: number;
}

class Query {
  @McpHeader('Region') @IsString() region!: string;
  @McpHeader('Tier') @IsOptional() @IsIn(['free', 'paid']) tier?: string;
  @McpHeader('Dry-Run') @IsBoolean() dryRun: boolean = false;
  @ValidateNested() @Type(() => Shard) shard!: Shard;
  @IsString() sql!: string;
}

@Feature()
class Databases {
  @Tool('Run a query') run({ sql }: Query): string {
    return sql;
  }

  @Tool('Takes nothing') idle(): void {}
}

/** Holds on to the kernel, as every transport does. */
class Holding implements Transport {
  host: TransportHost | undefined;

  async open(host: TransportHost): Promise<void> {
    this.host = host;
  }

  async close(): Promise<void> {}
}

async function kernelOf(server: Server): Promise<Kernel> {
  const transport = new Holding();
  await server.listen(transport);
  if (!transport.host) throw new Error('The transport was not opened.');
  return transport.host.kernel;
}

/** What a transport is asked to compare when a tool is called. */
async function mirroredIn(kernel: Kernel, name: string): Promise<readonly MirroredArgument[]> {
  const compared: MirroredArgument[] = [];
  const _meta = {
    [META_KEYS.protocolVersion]: NEWEST_PER_REQUEST_REVISION.version,
    [META_KEYS.clientCapabilities]: {},
  };
  const params = { name, arguments: {}, _meta };
  const incoming = kernel.open(
    { kind: 'request', id: 1, method: 'tools/call', params, weight: 0 },
    { held: undefined, running: new RunningCalls() },
  );
  await kernel.answer(incoming, {
    headers: {},
    caller: ANONYMOUS,
    notify: () => undefined,
    checkMirrored: (mirrored) => void compared.push(...mirrored),
  });
  return compared;
}

function serverOf(features: NonNullable<ServerOptions['features']>): Server {
  return createServer({ name: 'mirrors', version: '1.0.0', features, logger: false });
}

function problemsOf(run: () => unknown): readonly DefinitionProblem[] {
  try {
    run();
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

describe('@McpHeader', () => {
  it('stands in the listed input schema as x-mcp-header, beside everything else [TOOL-027]', async () => {
    const server = serverOf([Databases]);
    await kernelOf(server);
    const [run] = server.registry.entries('tool');
    expect(run?.definition.inputSchema).toMatchObject({
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        tier: { type: 'string', enum: ['free', 'paid'], 'x-mcp-header': 'Tier' },
        dryRun: { type: 'boolean', default: false, 'x-mcp-header': 'Dry-Run' },
        shard: { type: 'object', properties: { index: { type: 'integer', 'x-mcp-header': 'Shard' } } },
      },
    });
    expect(run?.definition.inputSchema).not.toHaveProperty('properties.sql.x-mcp-header');
  });

  it('tells the kernel which arguments a tool mirrors, those in nested objects too [TOOL-029][TOOL-030]', async () => {
    const kernel = await kernelOf(serverOf([Databases]));
    expect(await mirroredIn(kernel, 'run')).toEqual([
      { header: 'mcp-param-region', path: ['region'], type: 'string' },
      { header: 'mcp-param-tier', path: ['tier'], type: 'string' },
      { header: 'mcp-param-dry-run', path: ['dryRun'], type: 'boolean' },
      { header: 'mcp-param-shard', path: ['shard', 'index'], type: 'integer' },
    ]);
    expect(await mirroredIn(kernel, 'idle')).toEqual([]);
    expect(await mirroredIn(kernel, 'nobody')).toEqual([]);
  });

  it('follows tools that come and go at run time, with raw schemas too', async () => {
    const server = serverOf([Databases]);
    const kernel = await kernelOf(server);
    const input = { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } };
    server.registry.add({ kind: 'tool', name: 'raw', description: 'Raw', input, handler: () => 'done' });
    expect(await mirroredIn(kernel, 'raw')).toEqual([{ header: 'mcp-param-city', path: ['city'], type: 'string' }]);
    server.registry.remove('tool', 'raw');
    expect(await mirroredIn(kernel, 'raw')).toEqual([]);
  });

  it('adds nothing to the registry when the annotation is bad [TOOL-027]', async () => {
    const server = serverOf([Databases]);
    await kernelOf(server);
    const input = { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'My City' } } };
    const problems = problemsOf(() =>
      server.registry.add({ kind: 'tool', name: 'raw', description: 'Raw', input, handler: () => 'done' }),
    );
    expect(problems.map(({ code, where }) => [code, where])).toEqual([['SIGIL_HEADER_NAME', 'registry.add("raw")']]);
    expect([...server.registry.entries('tool')].map(({ key }) => key)).toEqual(['run', 'idle']);
  });

  it('is refused on anything but strings, integers and booleans [TOOL-029]', () => {
    class Wrong {
      @McpHeader('A') @IsNumber() ratio!: number;
      @McpHeader('B') @IsArray() @IsString({ each: true }) list!: string[];
      @McpHeader('C') @ValidateNested() @Type(() => Shard) object!: Shard;
      @McpHeader('D') @Nullable() @IsIn(['x', 'y']) choice!: string | null;
      @McpHeader('E') @Nullable() @IsString() region!: string | null;
    }
    @Feature()
    class Tools {
      @Tool('Wrong') wrong(_: Wrong): void {}
    }
    const problems = problemsOf(() => serverOf([Tools]));
    expect(problems.map(({ code }) => code)).toEqual(Array(5).fill('SIGIL_HEADER_TYPE'));
    expect(problems.map(({ where }) => where)).toEqual(Array(5).fill('Tools.wrong'));
    expect(problems.slice(3).map(({ fix }) => fix)).toEqual(Array(2).fill(expect.stringContaining('@IsOptional()')));
    expect(problems[4]?.problem).toContain('region is mirrored into a header, but is of type ["string","null"]');
  });

  it('is refused in the items of an array and in a class that contains itself [TOOL-030]', () => {
    class Tree {
      @McpHeader('Node') @IsString() name!: string;
      @IsOptional() @ValidateNested() @Type(() => Tree) child?: object;
    }
    class Batch {
      @ValidateNested({ each: true }) @Type(() => Shard) shards!: Shard[];
    }
    @Feature()
    class Tools {
      @Tool('Recursive') grow(_: Tree): void {}
      @Tool('Many') many(_: Batch): void {}
    }
    expect(problemsOf(() => serverOf([Tools])).map(({ code, where, problem }) => [code, where, problem])).toEqual([
      ['SIGIL_HEADER_PLACE', 'Tools.grow', expect.stringContaining('$defs.Tree.properties.name')],
      ['SIGIL_HEADER_PLACE', 'Tools.many', expect.stringContaining('properties.shards.items.properties.index')],
    ]);
  });

  it('is refused on prompts and templates, whose arguments no client mirrors', () => {
    class City {
      @IsString() city!: string;
    }
    class RoutedCity {
      @McpHeader('City') @IsString() city!: string;
    }
    @Feature()
    class Wrong {
      @Prompt('A plan') plan({ city }: RoutedCity): string {
        return city;
      }

      @Resource('weather://{city}') weather({ city }: RoutedCity): string {
        return city;
      }
    }
    @Feature()
    class Right {
      @Prompt('A plan') plan({ city }: City): string {
        return city;
      }

      @Complete('city', 'plan') cities(): string[] {
        return ['Oslo'];
      }

      @Tool('A forecast') forecast({ city }: RoutedCity): string {
        return city;
      }
    }
    expect(problemsOf(() => serverOf([Wrong])).map(({ code, where }) => [code, where])).toEqual([
      ['SIGIL_HEADER_NOT_ON_TOOL', 'Wrong.weather'],
      ['SIGIL_HEADER_NOT_ON_TOOL', 'Wrong.plan'],
    ]);
    expect(problemsOf(() => serverOf([Right]))).toEqual([]);
  });
});
