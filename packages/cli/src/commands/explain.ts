/** `sigil explain`: what an error means and how to fix it. */
import { wrongUsage } from '../failure';
import { nearestNames } from '@sigil-mcp/core/adapter';
import { codeIn, documentation, errorCodes, errorPageOf } from '../docs/pages';
import { showPage } from '../docs/show-page';
import type { RegisterCommand } from './command';

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
