/** Templates whose authors list page by page: asked for as much as there is room for, and told what they said last. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  DefinitionError,
  Feature,
  ListTemplate,
  McpContext,
  PageRequest,
  Resource,
  createServer,
  type Listed,
  type ListedResources,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { IsInt } from 'class-validator';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';

class Id {
  @IsInt() id!: number;
}

const MILLION = 1_000_000;

/** What was asked for, and how many rows were read for it. */
interface Asked {
  readonly cursor: string | undefined;
  readonly limit: number;
}
const asked: Asked[] = [];
let read = 0;

/** A page of a table with a million rows. */
function rows(from: number, count: number): { variables: { id: number } }[] {
  const ids = Array.from({ length: Math.max(0, Math.min(count, MILLION - from)) }, (_, index) => from + index);
  read += ids.length;
  return ids.map((id) => ({ variables: { id } }));
}

let answer: (page: PageRequest) => unknown;
const table = ({ cursor, limit }: PageRequest): ListedResources => {
  const from = cursor === undefined ? 0 : Number(cursor.slice('row '.length));
  const next = from + limit;
  return { resources: rows(from, limit), ...(next < MILLION && { nextCursor: `row ${next}` }) };
};

@Feature()
class Table {
  @Resource('table://{id}') row({ id }: Id): string {
    return `row ${id}`;
  }

  @Resource('table://about') about(): string {
    return 'a table';
  }

  @ListTemplate('row') list(page: PageRequest, context: McpContext): Listed {
    expect(context.request.method).toBe('resources/list');
    asked.push({ ...page });
    return answer(page) as Listed;
  }
}

@Feature()
class Small {
  @Resource('small://{id}') one({ id }: Id): string {
    return `small ${id}`;
  }

  @ListTemplate('one') list(): Listed {
    return [0, 1, 2].map((id) => ({ variables: { id } }));
  }
}

const server = (options: Partial<ServerOptions> = {}): Server =>
  createServer({ name: 'table', version: '1.0.0', features: [Table], pageSize: 10, logger: false, ...options });

beforeEach(() => {
  asked.length = read = 0;
  answer = table;
});

interface Page {
  readonly resources: readonly { readonly uri: string }[];
  readonly nextCursor?: string;
}
const list = (client: TestClient, cursor?: string): Promise<Page> => client.listResources({ cursor });

async function walk(client: TestClient, most: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await list(client, cursor);
    pages.push(page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
  } while (cursor !== undefined && pages.length < most);
  return pages;
}
const uris = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `table://${from + index}`);

describe('a list of a million rows', () => {
  eachRevision('is asked for one page, with the room that there is [PAGE-001]', async ({ connect }) => {
    const client = await connect(server());
    expect(await walk(client, 3)).toEqual([['table://about', ...uris(0, 9)], uris(9, 10), uris(19, 10)]);
    expect(asked).toEqual([
      { cursor: undefined, limit: 9 },
      { cursor: 'row 9', limit: 10 },
      { cursor: 'row 19', limit: 10 },
    ]);
    expect(read).toBe(29);
  });

  eachRevision('may give more than was asked for, or less, or all that there is', async ({ connect }) => {
    const client = await connect(server());
    answer = ({ cursor }) =>
      cursor === undefined
        ? { resources: rows(0, 25), nextCursor: 'end' }
        : { resources: rows(25, 2), nextCursor: undefined };
    expect(await walk(client, 9)).toEqual([['table://about', ...uris(0, 9)], uris(9, 10), uris(19, 6), uris(25, 2)]);
    expect(asked.map(({ cursor, limit }) => [cursor, limit])).toEqual([
      [undefined, 9],
      [undefined, 19],
      [undefined, 29],
      ['end', 10],
    ]);
    answer = () => rows(0, 15);
    expect(await walk(client, 9)).toEqual([['table://about', ...uris(0, 9)], uris(9, 6)]);
  });

  eachRevision('stands between other lists, in their order', async ({ connect }) => {
    @Feature()
    class Last extends Small {
      @Resource('last://{id}') override one({ id }: Id): string {
        return `last ${id}`;
      }
    }
    answer = ({ cursor }) => (cursor ? { resources: rows(4, 4) } : { resources: rows(0, 4), nextCursor: 'more' });
    const client = await connect(server({ features: [Small, Table, Last], pageSize: 5 }));
    expect(await walk(client, 9)).toEqual([
      ['table://about', 'small://0', 'small://1', 'small://2', 'table://0'],
      ['table://1', 'table://2', 'table://3'],
      ['table://4', 'table://5', 'table://6', 'table://7', 'last://0'],
      ['last://1', 'last://2'],
    ]);
  });

  eachRevision('is listed by a function, too', async ({ connect }) => {
    const empty = server({ features: [], capabilities: ['resources'] });
    empty.registry.add({
      kind: 'resource',
      name: 'row',
      uri: 'table://{id}',
      input: Id,
      handler: () => 'row',
      list: (_context, page) => table(page),
    });
    const client = await connect(empty);
    expect(await walk(client, 2)).toEqual([uris(0, 10), uris(10, 10)]);
  });
});

describe('a cursor of such a list', () => {
  eachRevision('is opaque, and refused once it was changed [PAGE-005]', async ({ connect }) => {
    const client = await connect(server());
    const { nextCursor = '' } = await list(client);
    // The text is whole here: three letters of it come by chance, once in a few thousand cursors.
    expect(Buffer.from(nextCursor, 'base64url').toString('latin1')).not.toContain('row 9');
    const other = nextCursor.at(-2) === 'A' ? 'B' : 'A';
    const plain = (text: string): string => Buffer.from(text).toString('base64url');
    const changed = [
      `${nextCursor.slice(0, -2)}${other}${nextCursor.slice(-1)}`,
      nextCursor.slice(1),
      `${nextCursor}A`,
      plain('listed:0:1000000000'),
    ];
    for (const cursor of [...changed, plain('listed:0:5'), 'row 9', ''])
      await expect(list(client, cursor)).rejects.toMatchObject({ code: -32602 });
    expect(asked).toHaveLength(1);
    expect((await list(client, nextCursor)).resources).toHaveLength(10);
  });

  eachRevision('is good for another instance with the same secrets, and for no other server', async ({ connect }) => {
    const requestState = { secrets: ['a secret of at least thirty-two characters'] };
    const { nextCursor } = await list(await connect(server({ requestState })));
    expect((await list(await connect(server({ requestState })), nextCursor)).resources).toHaveLength(10);
    for (const other of [server(), server({ requestState, name: 'other' })])
      await expect(list(await connect(other), nextCursor)).rejects.toMatchObject({ code: -32602 });
  });

  eachRevision('is refused where another template has taken the place of its own', async ({ connect }) => {
    const requestState = { secrets: ['a secret of at least thirty-two characters'] };
    const { nextCursor } = await list(await connect(server({ requestState })));
    const other = await connect(server({ requestState, features: [Small, Table] }));
    await expect(list(other, nextCursor)).rejects.toMatchObject({ code: -32602 });
  });
});

describe('what such a list must not do', () => {
  eachRevision('is told in the log, and leaves out its part', async ({ connect }) => {
    const lines: string[] = [];
    const error = (fields: { err?: { message?: string } }): void => void lines.push(String(fields.err?.message));
    const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error };
    const client = await connect(server({ logger, features: [Table, Small] }));
    for (const wrong of [{ rows: [] }, { resources: [], nextCursor: 7 }, { resources: [], nextCursor: '' }, null]) {
      answer = () => wrong;
      expect((await walk(client, 2)).flat()).toEqual(['table://about', 'small://0', 'small://1', 'small://2']);
    }
    expect(lines).toEqual([
      expect.stringContaining('it is neither an array nor { resources, nextCursor }'),
      expect.stringContaining('its nextCursor is no text'),
      expect.stringContaining('its nextCursor is no text'),
      expect.stringContaining('it is neither an array nor { resources, nextCursor }'),
    ]);
  });

  it('is found at start where its parameters say so', () => {
    @Feature()
    class Odd {
      @Resource('odd://{id}') one({ id }: Id): string {
        return `${id}`;
      }
      // @ts-expect-error the compiler sees it as well
      @ListTemplate('one') list(_page: PageRequest, _again: PageRequest): Listed {
        return [];
      }
    }
    expect(() => server({ features: [Odd] })).toThrow(DefinitionError);
    expect(() => server({ features: [Odd] })).toThrow('at most one McpContext, one Caller and one PageRequest');
  });

  eachRevision('is going on when the client has left', async ({ connect }) => {
    let signal: AbortSignal | undefined;
    @Feature()
    class Slow {
      @Resource('slow://{id}') one({ id }: Id): string {
        return `${id}`;
      }
      @ListTemplate('one') async list(context: McpContext, { limit }: PageRequest): Promise<Listed> {
        ({ signal } = context);
        await delay(10_000, undefined, { signal });
        return rows(0, limit).map(({ variables }) => ({ variables }));
      }
    }
    const client = await connect(server({ features: [Slow, Table] }));
    void list(client).catch(() => undefined);
    await turn();
    if (!signal) throw new Error('The list was not asked for.');
    await client.close();
    await turn();
    expect(signal.aborted).toBe(true);
    expect(asked).toEqual([]);
  });
});
