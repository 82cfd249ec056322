/** What `docs/skills.md` says and shows. */
import { DefinitionError, Feature, Resource, Roles, Tool, UseGuards, createServer } from '@sigil-mcp/core';
import { Skill, skills } from '@sigil-mcp/skills';
import { connect } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';

class Words {
  @IsString() words!: string;
}
class Title {
  @IsString() title!: string;
}

// #region feature
@Feature()
@Skill('./skills/order-books.md')
class BookFeature {
  @Tool('Finds books by words of their titles', { name: 'find_book' })
  find({ words }: Words): string {
    return `Nothing about ${words}.`;
  }

  @Tool('Orders a book', { name: 'order_book' })
  order({ title }: Title): string {
    return `Ordered ${title}.`;
  }

  @Tool('Pays the price of a book back')
  @UseGuards(Roles('staff'))
  refund({ title }: Title): string {
    return `Refunded ${title}.`;
  }

  @Resource('shop://opening-hours')
  hours(): string {
    return '9 to 5';
  }
}
// #endregion feature

// #region server
const server = createServer({
  name: 'books',
  version: '1.0.0',
  features: [BookFeature],
  extensions: [skills({ folders: ['./skills/shelf'] })],
});
// #endregion server

afterAll(() => server.close());

interface Listed {
  readonly skills: readonly { readonly frontmatter: { readonly name: string } }[];
}

// #region test
it('offers each caller the skills that it can follow', async () => {
  const namesFor = async (roles: string[]): Promise<string[]> => {
    const client = await connect(server, { as: { id: 'ada', roles } });
    const { skills: listed } = (await client.request('skills/list')) as unknown as Listed;
    return listed.map(({ frontmatter }) => frontmatter.name);
  };
  expect(await namesFor([])).toEqual(['order-books']);
  expect(await namesFor(['staff'])).toEqual(['handle-returns', 'order-books']);
});
// #endregion test

it('has the error of a tool that was renamed', () => {
  @Feature()
  @Skill('./skills/order-books.md')
  class Renamed {
    @Tool('Finds', { name: 'find_books' }) find(): string {
      return '';
    }
  }
  const define = () =>
    createServer({ name: 'x', version: '1.0.0', features: [Renamed], extensions: [skills()], logger: false });
  expect(define).toThrow(DefinitionError);
  expect(define).toThrow(/order-books\.md:8:\d+.*find_book, but this server has no tool or prompt of that name/s);
});
