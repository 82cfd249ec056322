/** The words that the user typed to start this program: a package manager, a script of a clone. */

/** `npm` itself reads options that have no `--` before them. */
const COMMANDS = {
  npm: 'npm create @sigil-mcp@latest --',
  pnpm: 'pnpm create @sigil-mcp@latest',
  yarn: 'yarn create @sigil-mcp',
  bun: 'bun create @sigil-mcp@latest',
} as const;

/**
 * @param environment of this process, as the package manager set it
 * @returns the words before the arguments; help and errors show them
 */
export function typedWords(environment: NodeJS.ProcessEnv): string {
  const { npm_lifecycle_event: script, npm_config_user_agent: userAgent = '' } = environment;
  // A clone of Sigil runs this program by a script of that name.
  if (script === 'new') return 'npm run new --';
  const [manager] = userAgent.split('/');
  return COMMANDS[manager as keyof typeof COMMANDS] ?? COMMANDS.npm;
}
