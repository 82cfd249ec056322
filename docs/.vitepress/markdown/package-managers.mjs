/** The same commands for each package manager, from those of npm. */

export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'];

/** The commands of npm and their equivalents. The first match is used. */
const COMMANDS = [
  { npm: /^npm (?:install|i) (?:-D|--save-dev) /, pnpm: 'pnpm add -D ', yarn: 'yarn add -D ', bun: 'bun add -d ' },
  { npm: /^npm (?:install|i) (?:-g) /, pnpm: 'pnpm add -g ', yarn: 'yarn global add ', bun: 'bun add -g ' },
  { npm: /^npm (?:install|i) /, pnpm: 'pnpm add ', yarn: 'yarn add ', bun: 'bun add ' },
  { npm: /^npm (?:install|ci)$/, pnpm: 'pnpm install', yarn: 'yarn install', bun: 'bun install' },
  // Only npm needs `--` before options, and pnpm would pass it on. yarn does not support a tag after a scope.
  {
    npm: /^npm create (@[\w-]+)@latest((?: (?!--)\S+)*)(?: --(?= |$))?/,
    pnpm: 'pnpm create $1@latest$2',
    yarn: 'yarn create $1$2',
    bun: 'bun create $1@latest$2',
  },
  // `bun test` is the test runner of Bun itself.
  { npm: /^npm (?:run )?(test|start)\b/, pnpm: 'pnpm $1', yarn: 'yarn $1', bun: 'bun run $1' },
  { npm: /^npm run (\S+)/, pnpm: 'pnpm $1', yarn: 'yarn $1', bun: 'bun run $1' },
  { npm: /^npx /, pnpm: 'pnpm exec ', yarn: 'yarn ', bun: 'bunx ' },
];

/**
 * @param manager one of PACKAGE_MANAGERS
 * @param text lines with commands of npm
 */
export function commandsOf(manager, text) {
  return text
    .split('\n')
    .map((line) => {
      const command = COMMANDS.find(({ npm }) => npm.test(line));
      return command === undefined || manager === 'npm' ? line : line.replace(command.npm, command[manager]);
    })
    .join('\n');
}
