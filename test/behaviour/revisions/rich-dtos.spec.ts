/** Mapped classes, unions, Maps and Sets in the arguments and results of tools, on every revision. */
import { AnyOf, Feature, IntersectionType, PartialType, PickType, Prompt, Tool, createServer } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { IsInt, IsString, Min, ValidateNested } from 'class-validator';
import { eachRevision } from './checked';

class Author {
  @IsString() name!: string;
}

class Book {
  @IsInt() id!: number;
  @IsString() title!: string;
  @IsInt() @Min(1) pages: number = 100;
  @ValidateNested({ each: true }) @Type(() => Author) authors: Map<string, Author> = new Map();
  @IsString({ each: true }) tags: Set<string> = new Set();
}

class BookPatch extends IntersectionType(PickType(Book, ['id']), PartialType(Book)) {}

class Paper {
  @IsInt() sheets!: number;
}
class Recording {
  @IsInt() minutes!: number;
}
class Lending {
  @ValidateNested()
  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: Paper, name: 'paper' },
        { value: Recording, name: 'recording' },
      ],
    },
  })
  item!: Paper | Recording;
  @AnyOf(String, Author) to!: string | Author;
}

@Feature()
class Library {
  readonly #book = Object.assign(new Book(), { id: 1, title: 'Emma', pages: 500, tags: new Set(['old']) });

  @Tool('Changes a book', { output: Book })
  change(patch: BookPatch): Book {
    return Object.assign(this.#book, patch);
  }

  @Tool('Lends something', { output: Lending })
  lend(lending: Lending): Lending {
    return lending;
  }
}

const server = (): ReturnType<typeof createServer> =>
  createServer({ name: 'library', version: '1.0.0', features: [Library], logger: false });

eachRevision('a patch changes what was sent, and Maps and Sets travel as objects and arrays', async ({ connect }) => {
  const client = await connect(server());
  const sent = { id: 1, authors: { jane: { name: 'Jane' } } };
  const result = await client.callTool('change', sent);
  const book = { id: 1, title: 'Emma', pages: 500, authors: { jane: { name: 'Jane' } }, tags: ['old'] };
  expect(JSON.parse(String((result.content[0] as { text: string }).text))).toEqual(book);
});

eachRevision('a discriminator chooses a class on the way in, and is said on the way out', async ({ connect }) => {
  const client = await connect(server());
  const sent = { item: { kind: 'recording', minutes: 3 }, to: { name: 'Ann' } };
  const result = await client.callTool('lend', sent);
  expect(JSON.parse(String((result.content[0] as { text: string }).text))).toEqual(sent);
});

describe('a prompt', () => {
  it('takes no union', () => {
    class Topic {
      @AnyOf(String, Number) topic!: string | number;
    }
    @Feature()
    class Talks {
      @Prompt('Talks')
      talk({ topic }: Topic): string {
        return String(topic);
      }
    }
    expect(() => createServer({ name: 'talks', version: '1.0.0', features: [Talks] })).toThrow(
      'SIGIL_DTO_UNION_NOT_FLAT',
    );
  });
});
