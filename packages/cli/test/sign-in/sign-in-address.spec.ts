/** Where the browser is sent to sign in comes from a server that may be anybody's. */
import { Shell } from '../../src/terminal/shell';
import { TerminalQuestions } from '../../src/questions/terminal-questions';

it.each([
  'file:///etc/passwd',
  'file://evil.example/share/run.exe',
  'javascript:alert(document.domain)',
  'data:text/html,<script>alert(1)</script>',
  'vscode://evil.extension/run?$(id)',
  'ms-msdt:/id PCWDiagnostic',
  'smb://evil.example/share',
])('%s is neither shown nor opened', async (address) => {
  const questions = new TerminalQuestions(new Shell(), new AbortController().signal);
  await expect(questions.signIn(new URL(address))).rejects.toMatchObject({ code: 'SIGIL_CLI_SIGN_IN_ADDRESS' });
});
