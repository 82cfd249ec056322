/** An MCP server for the documentation of Sigil, written with Sigil: assistants search, read, and get a starter that is right. */
import { Shell } from '../terminal/shell';
import 'reflect-metadata';
import {
  Complete,
  createServer,
  Describe,
  Feature,
  ListTemplate,
  Prompt,
  Resource,
  Tool,
  ToolFailure,
  type ListedResource,
  type Server,
} from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { nearestNames } from '@sigil-mcp/base';
import { choicesOf, TRANSPORTS, type TransportChoice } from '../scaffold/project-choices';
import { projectFiles } from '../scaffold/project-files';
import { versionOfCli } from '../version';
import { codeIn, documentation, errorCodes, errorPageOf } from './pages';
import { searchPages } from './search-pages';

/** The page that is enough to write a server. */
const ONE_PAGE = 'one-page';

class SearchInput {
  @Describe('What to look for: a few words, or an error code') @IsString() @Length(1, 200) query!: string;
  @Describe('How many results at most') @IsInt() @Min(1) @Max(20) limit: number = 8;
}

class Hit {
  @Describe('Pass it to readPage') @IsString() page!: string;
  @Describe('The titles of the page and the section') @IsString() title!: string;
  @Describe('Where to read it in a browser') @IsString() address!: string;
  @Describe('How the section begins') @IsString() excerpt!: string;
}

class Hits {
  @Describe('The best result first') @IsArray() @ValidateNested({ each: true }) @Type(() => Hit) results!: Hit[];
}

class PageInput {
  @Describe('The path of a page, as searchDocs returns it: how-to/errors') @IsString() @Length(1, 200) page!: string;
}

class ErrorText {
  @Describe('The code of an error, or its whole message: SIGIL_TOOL_NAME') @IsString() @Length(1, 5000) error!: string;
}

class Starter {
  @Describe('The name of the project, as npm accepts it') @IsString() @Length(1, 100) name!: string;
  @Describe('How clients reach it') @IsIn([...TRANSPORTS]) transport: string = 'stdio';
  @Describe('Whether callers over HTTP need an OAuth token') @IsBoolean() tokens: boolean = false;
  @Describe('Whether it has ES modules; CommonJS if not') @IsBoolean() esm: boolean = false;
}

class TaskInput {
  @Describe('What the server should do') @IsOptional() @IsString() task?: string;
}

/** What assistants can do with the documentation. */
@Feature()
class DocsFeature {
  @Tool('Searches the documentation of Sigil, a TypeScript framework for MCP servers', { output: Hits, readOnly: true })
  searchDocs({ query, limit }: SearchInput): Hits {
    return { results: searchPages(query, limit) };
  }

  @Tool('Reads a page of the documentation of Sigil as Markdown. "one-page" is enough to write a server', {
    readOnly: true,
  })
  readPage({ page }: PageInput): string {
    return textOf(page) ?? this.#noPage(page);
  }

  @Tool('Explains an error of Sigil: what it means, how to fix it, and code that causes it', { readOnly: true })
  explainError({ error }: ErrorText): string {
    const code = codeIn(error);
    const page = code === undefined ? undefined : errorPageOf(code);
    if (page) return page.text;
    const near = nearestNames(error.trim().toUpperCase(), errorCodes());
    throw new ToolFailure(
      `There is no code of an error in this text.${near.length > 0 ? ` Similar codes: ${near.join(', ')}.` : ''} Codes begin with SIGIL_ and stand in brackets.`,
    );
  }

  @Tool('Returns the files of a new Sigil project that builds, starts and passes its test', { readOnly: true })
  writeStarter({ name, transport, tokens, esm }: Starter): string {
    const answers = { folder: name, transport: transport as TransportChoice, tokens, esm };
    let files;
    try {
      files = projectFiles(choicesOf(answers, { install: false }, new Shell({ env: {} })));
    } catch (error) {
      throw new ToolFailure(error instanceof Error ? error.message : String(error), { cause: error });
    }
    return files.map(({ path, text }) => `\`${path}\`\n\n${FENCE}\n${String(text).trimEnd()}\n${FENCE}\n`).join('\n');
  }

  @Resource('sigil-docs:///{+page}', { description: 'A page of the documentation of Sigil', mimeType: 'text/markdown' })
  page({ page }: PageInput): string | undefined {
    return textOf(page);
  }

  @ListTemplate('page')
  listPages(): ListedResource[] {
    return documentation()
      .pages.filter(({ path }) => !path.startsWith('e/'))
      .map(({ path, title, description }) => ({ variables: { page: path }, name: title, description }));
  }

  @Complete('page', 'page')
  completePage(typed: string): string[] {
    return documentation()
      .pages.map(({ path }) => path)
      .filter((path) => path.startsWith(typed));
  }

  @Prompt('Builds an MCP server with Sigil')
  buildServer({ task }: TaskInput): string {
    return [
      `Build an MCP server with Sigil${task === undefined ? '. Ask me what it should do.' : `: ${task}`}`,
      'Begin with writeStarter. Look up with searchDocs and readPage what you are not sure of, and pass errors to explainError.',
      'This page is enough for most servers:',
      textOf(ONE_PAGE) ?? '',
    ].join('\n\n');
  }

  #noPage(page: string): never {
    const near = nearestNames(
      page,
      documentation().pages.map(({ path }) => path),
    );
    throw new ToolFailure(
      `There is no page "${page}".${near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''} Find pages with searchDocs.`,
    );
  }
}

/** Around a file, which may hold blocks of code itself. */
const FENCE = '````';

/** The text of a page, whose path may have an ending or the address of the site. */
function textOf(page: string): string | undefined {
  const { site, pages } = documentation();
  const path = (page.startsWith(site) ? page.slice(site.length) : page)
    .replace(/^\//, '')
    .replace(/#.*/s, '')
    .replace(/(\.md|\.html)$/, '');
  return pages.find((each) => each.path === path)?.text;
}

/** Makes the server. */
export function createDocsServer(): Server {
  return createServer({
    name: 'sigil-docs',
    version: versionOfCli(),
    instructions:
      'The documentation of Sigil, a TypeScript framework for MCP servers. Read the page "one-page" before you write a server; it is enough for most.',
    features: [DocsFeature],
    logger: 'warn',
  });
}
