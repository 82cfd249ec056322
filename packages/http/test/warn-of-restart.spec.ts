/** A server in production that has no secrets says at start what a restart ends. */
import { Feature, ListTemplate, PageRequest, Resource, Tool, tool, type ListedResource } from '@sigil-mcp/core';
import { MemoryStores } from '@sigil-mcp/core/stores';
import { IsBoolean, IsString } from 'class-validator';
import { serve, useAdapter, type OpenServer } from '../../../test/behaviour/http/http-server';

class Sure {
  @IsBoolean() sure: boolean = false;
}

class Title {
  @IsString() title!: string;
}

@Feature()
class Books {
  @Tool('Gives a book away', { asks: [Sure] })
  giveAway({ title }: Title): string {
    return title;
  }

  @Resource('books://{title}')
  card({ title }: Title): string {
    return title;
  }

  @ListTemplate('card')
  cards(_page: PageRequest): ListedResource[] {
    return [];
  }

  @Tool('Asks nothing')
  count(): string {
    return '0';
  }
}

@Feature()
class Silent {
  @Tool('Asks nothing')
  count(): string {
    return '0';
  }
}

const warnings: string[] = [];
const warn = (_fields: object, message: string): void => void warnings.push(message);
const logger = { debug: () => undefined, info: () => undefined, error: () => undefined, warn };
const SECRET = 's'.repeat(32);
const before = process.env['NODE_ENV'];
let open: OpenServer;

beforeEach(() => {
  warnings.length = 0;
  process.env['NODE_ENV'] = 'production';
});
afterEach(async () => {
  process.env['NODE_ENV'] = before;
  delete process.env['SIGIL_SECRETS'];
  useAdapter('fastify');
  await open.close();
});

it.each(['fastify', 'fetch'] as const)('names the entries in one line, with what to set, over %s', async (adapter) => {
  useAdapter(adapter);
  open = await serve({ logger, features: [Books] });
  expect(warnings).toEqual([
    'SIGIL_SECRETS is not set: questions and pages of giveAway, books://{title} that clients have not finished do not survive a restart of this process. Set it to one value of 32 characters or more.',
  ]);
});

it('names some of many entries, and counts the others', async () => {
  const many = Array.from({ length: 8 }, (_, index) =>
    tool(`ask${index}`, { description: 'Asks', asks: [Sure] }, () => 'done'),
  );
  open = await serve({ logger, features: many });
  expect(warnings).toEqual([expect.stringContaining('of ask0, ask1, ask2, ask3, ask4, and 3 more that')]);
});

it('is silent while a server is developed, with secrets, and if nothing is sealed', async () => {
  process.env['NODE_ENV'] = 'development';
  open = await serve({ logger, features: [Books] });
  await open.close();
  process.env['NODE_ENV'] = 'production';
  open = await serve({ logger, features: [Books], requestState: { secrets: [SECRET] } });
  await open.close();
  open = await serve({ logger, features: [Silent] });
  await open.close();
  process.env['SIGIL_SECRETS'] = SECRET;
  open = await serve({ logger, features: [Books] });
  expect(warnings).toEqual([]);
});

it('has one warning of secrets with stores, the one of several instances', async () => {
  open = await serve({ logger, features: [Books], stores: new MemoryStores() });
  expect(warnings).toEqual([expect.stringContaining('This server has stores for several instances')]);
});
