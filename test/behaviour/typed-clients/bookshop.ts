/** A server with entries of every kind, as classes and as functions, whose type is all that its clients import. */
import 'reflect-metadata';
import {
  createServer,
  defineModule,
  Feature,
  McpContext,
  prompt,
  Prompt,
  resource,
  Resource,
  tool,
  Tool,
  ToolFailure,
  toolResult,
  type ClientOf,
  type RootsQuestion,
  type SamplingQuestion,
  type ToolResult,
} from '@sigil-mcp/core';
import { IsBoolean, IsDate, IsInt, IsOptional, IsString } from 'class-validator';
import { Type } from 'class-transformer';
import { z } from 'zod';

export class Book {
  @IsString() title!: string;
  @IsInt() pages!: number;
  @IsOptional() @IsDate() @Type(() => Date) since?: Date;
}

export class Confirm {
  @IsBoolean() sure!: boolean;
}

class Shelf {
  @IsString() genre!: string;
}

class Numbered {
  @IsInt() count!: number;
}

@Feature()
export class BooksFeature {
  readonly #kept: Book[] = [];

  @Tool('Adds a book')
  addBook({ title, pages, since }: Book): { title: string; pages: number; since: Date | null } {
    if (pages < 1) throw new ToolFailure(`${title} has no pages.`);
    this.#kept.push({ title, pages });
    return { title, pages, since: since ?? null };
  }

  @Tool('Counts the books')
  count(): string {
    return `${this.#kept.length} books`;
  }

  @Tool('Drops all books', { asks: [Confirm] })
  async dropAll(context: McpContext<Confirm>): Promise<{ dropped: boolean }> {
    const answer = await context.elicit(Confirm, 'Drop all?');
    return { dropped: answer.action === 'accept' && answer.content.sure };
  }

  @Tool('Counts slowly')
  async slowly({ count }: Numbered, context: McpContext<never>): Promise<{ counted: number }> {
    for (let step = 1; step <= count; step += 1) await context.progress(step, count);
    return { counted: count };
  }

  @Tool('Returns what it likes')
  free(): ToolResult {
    return toolResult({ content: 'free' });
  }

  @Prompt('Recommends a book')
  recommend({ genre }: Shelf): string {
    return `Recommend a ${genre} book.`;
  }

  @Prompt('Recommends several books')
  several({ count }: Numbered): string {
    return `Recommend ${count + 1} books.`;
  }

  @Resource('books://shelf/{genre}')
  shelf({ genre }: Shelf): { genre: string; books: string[] } {
    return { genre, books: ['Emma'] };
  }

  @Resource('books://motto')
  motto(): string {
    return 'Read more.';
  }
}

const search = tool(
  'search',
  {
    description: 'Finds books',
    input: z.object({ text: z.string(), limit: z.int().default(10) }),
    output: z.object({ found: z.array(z.string()) }),
  },
  ({ text, limit }) => ({ found: Array.from({ length: Math.min(limit, 2) }, () => text) }),
);
const lend = tool('lend', { description: 'Lends a book', asks: [Confirm] }, async (_input, context) => {
  const answer = await context.elicit(Confirm, 'Lend it?');
  return { lent: answer.action === 'accept' };
});
const review = prompt(
  'review',
  { description: 'Reviews a book', input: z.object({ title: z.string() }) },
  ({ title }) => `Review ${title}.`,
);
const page = resource(
  'books://pages/{title}{?number}',
  { name: 'A page', input: z.object({ title: z.string(), number: z.string().optional() }) },
  ({ title, number = '1' }) => ({ title, number }),
);
const shop = defineModule({
  prefix: 'shop',
  features: [search, review, page],
  modules: [defineModule({ features: [lend], prefix: 'desk' })],
});

export const server = createServer({
  name: 'bookshop',
  version: '1.0.0',
  logger: false,
  features: [BooksFeature],
  modules: [shop],
});
export type Api = ClientOf<typeof server>;

/** Never made: what its handlers may ask is only looked at. */
export abstract class AskingFeature {
  abstract write(context: McpContext<SamplingQuestion | RootsQuestion>): string;
  abstract anything(context: McpContext): string;
}
