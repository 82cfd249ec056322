/** A server whose tools return more than a model should read at once. */
import { createServer, embedded, Feature, Tool, toolResult, type Server, type ServerOptions } from '@sigil-mcp/core';
import { resultBudgets, type ResultBudgetsOptions } from '@sigil-mcp/results';
import { Type } from 'class-transformer';
import { IsArray, IsInt, IsString, ValidateNested } from 'class-validator';

class Book {
  @IsInt() id!: number;
  @IsString() title!: string;
}

class Count {
  @IsInt() count!: number;
}

class Books {
  @IsString() shelf!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Book) books!: Book[];
}

/** As many books; each takes about 50 characters. */
export function booksOf(count: number): { readonly id: number; readonly title: string }[] {
  return Array.from({ length: count }, (_, id) => ({ id, title: `The book with the number ${id}` }));
}

/** Lines of about 40 characters. */
export function linesOf(count: number): string {
  return Array.from({ length: count }, (_, index) => `Line ${index} of a log that never ends.`).join('\n');
}

/** How often each tool has run. */
export interface ArchiveLog {
  runs: number;
}

/** The definition. */
export function archiveDefinition(
  log: ArchiveLog = { runs: 0 },
  options: ResultBudgetsOptions = {},
  more: Partial<ServerOptions> = {},
): ServerOptions {
  @Feature()
  class ArchiveFeature {
    @Tool('Lists books', { output: Books, budget: 2_000, readOnly: true })
    list({ count }: Count): Books {
      log.runs += 1;
      return { shelf: 'north', books: booksOf(count) };
    }

    @Tool('Lists books, with words about them', { output: Books, budget: 2_000 })
    describe({ count }: Count) {
      return toolResult({ content: 'Books of the north.', structured: { shelf: 'north', books: booksOf(count) } });
    }

    @Tool('Lists numbers', { budget: 1_000 })
    numbers({ count }: Count): number[] {
      return Array.from({ length: count }, (_, index) => index);
    }

    @Tool('Finds without saying what comes back', { budget: 1_000 })
    find({ count }: Count): object {
      return { few: [1], found: booksOf(count), source: 'index' };
    }

    @Tool('Reads a log', { budget: 1_000 })
    log({ count }: Count): string {
      log.runs += 1;
      return linesOf(count);
    }

    @Tool('Exports a file', { budget: 1_000 })
    export({ count }: Count) {
      return [
        'Here it is.',
        embedded({ uri: 'archive://export.csv', mimeType: 'text/csv', text: linesOf(count) }),
        embedded({ uri: 'archive://export.bin', mimeType: 'application/x-archive', blob: Buffer.alloc(count * 40, 7) }),
      ];
    }

    @Tool('Has no budget') plain({ count }: Count): string {
      return linesOf(count);
    }
  }
  return {
    name: 'archive',
    version: '1.0.0',
    logger: false,
    features: [ArchiveFeature],
    extensions: [resultBudgets(options)],
    ...more,
  };
}

/** The server. */
export function archive(...definition: Parameters<typeof archiveDefinition>): Server {
  return createServer(archiveDefinition(...definition));
}
