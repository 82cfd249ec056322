/** Templates whose variables are lists: read, guarded and completed item by item, on every revision. */
import { Complete, Feature, McpContext, Resource, createServer, type Guard } from '@sigil-mcp/core';
import { IsEnum, IsInt, IsOptional, IsString } from 'class-validator';
import { eachRevision } from './checked';
import { Wood } from './workshop';

describe('a variable that is a list', () => {
  class Search {
    @IsInt({ each: true }) years!: number[];
    @IsOptional() @IsEnum(Wood, { each: true }) woods?: Wood[];
    @IsString({ each: true }) tags: string[] = ['any'];
  }

  @Feature()
  class Catalogue {
    @Resource('cat:/{/years*}{?woods*,tags*}') search(search: Search): unknown {
      return search;
    }

    @Resource('raw:/{/path*}') raw(context: McpContext): string {
      return context.request.method;
    }

    @Complete('years', 'search') years(prefix: string): string[] {
      return ['1999', '2001', '2002'].filter((year) => year.startsWith(prefix));
    }
  }

  const raw: unknown[] = [];
  const look: Guard = {
    allows: () => true,
    allowsCall: (call) => {
      raw.push(call.arguments);
      return true;
    },
  };
  const create = () => createServer({ name: 'c', version: '1', features: [Catalogue], guards: [look], logger: false });

  eachRevision('is read item by item into the type of its property [RSRC-016]', async ({ connect }) => {
    const client = await connect(create());
    const read = async (uri: string): Promise<unknown> => {
      const { contents } = (await client.readResource(uri)) as unknown as { contents: [{ text: string }] };
      return JSON.parse(contents[0].text);
    };
    expect(await read('cat://1999/2001?tags=b&woods=oak&tags=a')).toEqual({
      years: [1999, 2001],
      woods: ['oak'],
      tags: ['b', 'a'],
    });
    expect(await read('cat://1999')).toEqual({ years: [1999], tags: ['any'] });
    await expect(client.readResource('cat://1999/soon')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('years[1]'),
    });
    await expect(client.readResource('cat://1999?woods=oak&woods=gold')).rejects.toMatchObject({
      message: expect.stringContaining('woods[1]'),
    });
  });

  eachRevision('is a list for guards, too', async ({ connect }) => {
    const client = await connect(create());
    raw.length = 0;
    expect(await client.readResource('raw://a/b%2Fc')).toMatchObject({ contents: [{ text: 'resources/read' }] });
    expect(raw).toEqual([{ path: ['a', 'b/c'] }]);
  });

  eachRevision('is completed item by item', async ({ connect }) => {
    const client = await connect(create());
    const complete = (name: string, value: string) =>
      client.complete({ template: 'cat:/{/years*}{?woods*,tags*}' }, name, value);
    expect(await complete('years', '200')).toMatchObject({ completion: { values: ['2001', '2002'] } });
    expect(await complete('woods', 'p')).toMatchObject({ completion: { values: ['pine'] } });
    expect(await complete('tags', '')).toMatchObject({ completion: { values: [] } });
  });
});
