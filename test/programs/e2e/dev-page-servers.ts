/** The servers that the page of `sigil dev` is tried with, as sources. */

/** One of each kind of tool. */
export const SHELF = `import { setTimeout as delay } from 'node:timers/promises';
import { createServer, Describe, Example, Feature, McpContext, Prompt, Resource, Title, Tool, type Access, type Guard } from '@sigil-mcp/core';
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Length, Matches, Max, Min, ValidateNested, IsArray } from 'class-validator';
import { Type } from 'class-transformer';

class Author {
  @Describe('Its first and last name') @IsString() @Length(1, 80) name!: string;
  @IsOptional() @IsInt() @Min(1000) @Max(2100) born?: number;
}
class Book {
  @Describe('The title on the cover') @IsString() @Length(1, 60) title!: string;
  @Describe('The year of the first edition') @IsInt() @Min(1400) @Max(2100) year!: number;
  @IsIn(['novel', 'poetry', 'essay']) kind: 'novel' | 'poetry' | 'essay' = 'novel';
  @IsOptional() @Matches(/^\\d{13}$/) isbn?: string;
  @IsOptional() @IsBoolean() isLent?: boolean;
  @IsOptional() @ValidateNested() @Type(() => Author) author?: Author;
  @IsOptional() @IsArray() @IsString({ each: true }) tags?: string[];
}
class Name { @Title('Name') @IsString() name!: string; }
class Query { @Describe('A part of the title') @IsString() @Length(1, 60) title!: string; @IsOptional() @IsNumber() limit?: number; }
class Only { @IsString() title!: string; }
class Found { @IsString() title!: string; @IsString() author!: string; }
class Everybody implements Guard { allows({ caller }: Access) { return caller !== undefined; } }

@Feature()
export class Shelf {
  @Tool('Says what is known of a book, and who has it')
  async findBook({ title }: Query, context: McpContext): Promise<Found> {
    await context.progress?.(1, 2, 'looks on the shelf');
    context.log.info('Looks for a book', { title });
    await delay(5);
    return { title, author: 'Jane Austen' };
  }
  @Tool('Puts a book on the shelf')
  @Example({ args: { title: 'Emma', year: 1815, kind: 'novel' }, says: 'Adds a novel.' })
  addBook({ title, year, author }: Book): string {
    return \`Put \${title} (\${year})\${author ? \` by \${author.name}\` : ''} on the shelf.\`;
  }
  @Tool('Lends a book to somebody')
  async lend({ title }: Query, context: McpContext): Promise<string> {
    const answer = await context.elicit(Name, \`Who borrows \${title}?\`);
    return answer.action === 'accept' ? \`\${answer.content.name} has \${title} now.\` : \`Nobody has \${title}.\`;
  }
  @Tool('Breaks on purpose')
  boom(): string {
    const shelf: { books?: string[] } = {};
    return shelf.books!.join(', ');
  }
  @Tool('Draws the cover')
  cover(): object {
    return { content: [{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC' }, { type: 'text', text: 'A red cover' }] };
  }
  @Resource('shelf://all', { description: 'All books', mimeType: 'application/json' })
  all(): object { return { books: ['Emma', 'Ulysses'] }; }
  @Resource('shelf://books/{title}', { description: 'One book' })
  book({ title }: Only): string { return \`Everything about \${title}\`; }
  @Prompt('Recommends a book to a reader')
  recommend({ title }: Only): string { return \`Recommend a book like \${title}.\`; }
}
export const server = createServer({ name: 'shelf', version: '0.1.0', features: [Shelf], guards: [Everybody], instructions: 'Look for a book before you lend it.' });
`;

/** What a server could try against the page. */
export const HOSTILE = `import { createServer, Feature, McpContext, Resource, Title, Tool } from '@sigil-mcp/core';

const BAD = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>" onmouseover="window.hacked=1" javascript:alert(1) \\u001b[31m';

@Feature()
export class Attacks {
  @Title(BAD)
  @Tool(BAD)
  async attack(context: McpContext): Promise<object> {
    context.log.warning(BAD, { more: BAD });
    return { content: [{ type: 'text', text: BAD }, { type: 'resource_link', uri: 'javascript:alert(1)', name: BAD }] };
  }
  @Tool('Sends what is no image')
  attackImage(): object {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"><script>window.hacked=1</script></svg>');
    return { content: [{ type: 'image', mimeType: 'image/svg+xml', data: svg.toString('base64') }, { type: 'image', mimeType: 'text/html', data: 'PHNjcmlwdD4=' }] };
  }
  @Tool('Fails')
  fail(): string {
    throw new Error(BAD);
  }
  @Resource('attack://all', { description: BAD })
  all(): string { return BAD; }
}
export const server = createServer({ name: '<b>attack</b>', version: '1.0.0', features: [Attacks], instructions: BAD, logger: 'warn' });
`;

/** A thousand tools. */
export function thousandTools(): string {
  const tools = Array.from(
    { length: 1000 },
    (_, index) =>
      `  @Tool('Does the work number ${index} of a thousand')\n  work${index}(_: Job): string { return ''; }`,
  );
  return `import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { IsInt, IsString, Max } from 'class-validator';
class Job { @IsString() name!: string; @IsInt() @Max(7) level!: number; }
@Feature()
export class Work {
${tools.join('\n')}
}
export const server = createServer({ name: 'work', version: '1.0.0', features: [Work], logger: 'warn' });
`;
}
