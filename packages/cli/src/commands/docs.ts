/** `sigil docs` and `sigil explain`: search and read the documentation, for users and, as an MCP server, for assistants. */
import { nearestNames } from '@sigil-mcp/base';
import { wrongUsage } from '../failure';
import { codeIn, documentation, errorCodes, errorPageOf, showPage } from '../docs/pages';
import type * as SearchPages from '../docs/search-pages';
import type { RegisterCommand } from '../command-packages/command-package';
import type { Shell } from '../terminal/shell';

/** How many results are shown. */
const SHOWN = 8;

interface DocsOptions {
  readonly mcp?: boolean;
  readonly json?: boolean;
}

/** `sigil docs [words...]`: the page with this path, or else a search. */
export const registerDocs: RegisterCommand = (program, shell) => {
  program
    .command('docs')
    .description('search and read the documentation, or serve it to an AI assistant (--mcp)')
    .argument('[words...]', 'what to look for, or the path of a page: quick-start')
    .option('--mcp', 'be an MCP server on stdin and stdout, with tools to search and read the documentation')
    .option('--json', 'for programs')
    .action(async (words: readonly string[], { mcp, json }: DocsOptions) => {
      if (mcp === true) return serve();
      const question = words.join(' ');
      if (question === '') return showStart(shell);
      const { site, pages } = documentation();
      const page = pages.find(({ path }) => path === question.replace(/^\/|\.md$/g, ''));
      if (page && json !== true) return showPage(shell, page.text, `${site}${page.path}`);
      const found = search(question);
      if (json === true) return shell.printData(`${JSON.stringify(page ?? { results: found }, null, 2)}\n`);
      if (found.length === 0) throw wrongUsage('SIGIL_CLI_NOTHING_FOUND', { question: JSON.stringify(question), site });
      const { bold, dim } = shell.styles;
      for (const { title, page: path, address, excerpt } of found) {
        shell.print(`${bold(title)}  ${path}\n  ${excerpt}\n  ${dim(address)}\n`);
      }
      shell.print('Read one of them: sigil docs <path>');
    });
};

/** `sigil explain <code>`; the argument may also be a whole message. */
export const registerExplain: RegisterCommand = (program, shell) => {
  program
    .command('explain')
    .description('explain an error: what it means, how to fix it, and code that causes it')
    .argument('<code...>', 'the code of the error, such as SIGIL_TOOL_NAME, or its message')
    .option('--json', 'for programs')
    .action((words: readonly string[], { json }: { json?: boolean }) => {
      const text = words.join(' ');
      const code = codeIn(text);
      const page = code === undefined ? undefined : errorPageOf(code);
      if (!page) throw unknownCode(text);
      const address = `${documentation().site}${page.path}`;
      if (json === true) shell.printData(`${JSON.stringify({ code, address, text: page.text }, null, 2)}\n`);
      else showPage(shell, page.text, address);
    });
};

function unknownCode(text: string): Error {
  const [near] = nearestNames(text.trim().toUpperCase(), errorCodes());
  const suggestion = near === undefined ? '' : ` Did you mean ${near}?`;
  return wrongUsage('SIGIL_CLI_NO_CODE', { text: JSON.stringify(text.slice(0, 100)), suggestion });
}

function search(question: string): SearchPages.SearchHit[] {
  // Not at the top: every command would load the package that searches.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const { searchPages } = require('../docs/search-pages') as typeof SearchPages;
  return searchPages(question, SHOWN);
}

async function serve(): Promise<void> {
  // Its decorators and classes are loaded for this alone.
  const [{ createDocsServer }, { StdioTransport }] = await Promise.all([
    import('../docs/docs-server.js'),
    import('@sigil-mcp/core/stdio'),
  ]);
  const server = createDocsServer();
  await server.listen(new StdioTransport());
  // The transport ends the process with its client.
  await new Promise<never>(() => undefined);
}

function showStart(shell: Shell): void {
  const { site } = documentation();
  shell.print(`The documentation of Sigil: ${site}

Search it:                sigil docs how to deploy
Read a page:              sigil docs quick-start
Explain an error:         sigil explain SIGIL_TOOL_NAME
For an AI assistant:      sigil docs --mcp`);
}
