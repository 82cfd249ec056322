/** npm, pnpm, yarn and bun: which one runs this program, and the commands of each. */

/** The package managers that a project can use. */
export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'] as const;

/** The name of a package manager. */
export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

/** The commands of a package manager. */
export interface PackageManagerWords {
  /** The words before the name of a script: `npm run`. */
  readonly run: string;
  /** The command that runs the tests. */
  readonly test: string;
  /** The word before the name of an installed program. */
  readonly exec: string;
  readonly install: string;
  /** The arguments of a quiet installation. */
  readonly installArguments: readonly string[];
  /** The command before the name of a package that is added for development. */
  readonly addForDevelopment: string;
  readonly lockfile: string;
  /** The installation in a container: exactly the versions in the lock file. */
  readonly installLocked: string;
  /** The removal of development dependencies in a container, after the build. */
  readonly dropDevelopment: string;
}

const RETRY_SOON = '--fetch-retry-mintimeout=2000';

/** What is not the same for all. */
type OwnWords = Omit<PackageManagerWords, 'install' | 'test'> & Partial<Pick<PackageManagerWords, 'test'>>;

const WORDS: Readonly<Record<PackageManager, OwnWords>> = {
  npm: {
    run: 'npm run',
    exec: 'npx',
    // Without a network npm would retry for many minutes before it fails.
    installArguments: ['install', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', RETRY_SOON],
    addForDevelopment: 'npm install --save-dev',
    lockfile: 'package-lock.json',
    installLocked: 'npm ci --no-audit --no-fund',
    dropDevelopment: 'npm prune --omit=dev --no-audit --no-fund',
  },
  pnpm: {
    run: 'pnpm',
    exec: 'pnpm exec',
    installArguments: ['install', '--reporter=append-only'],
    addForDevelopment: 'pnpm add --save-dev',
    lockfile: 'pnpm-lock.yaml',
    installLocked: 'corepack enable && pnpm install --frozen-lockfile',
    dropDevelopment: 'CI=true pnpm prune --prod',
  },
  yarn: {
    run: 'yarn',
    exec: 'yarn',
    installArguments: ['install'],
    addForDevelopment: 'yarn add --dev',
    lockfile: 'yarn.lock',
    // Yarn 1 and newer versions accept this flag; only yarn 1 could also leave out development dependencies.
    installLocked: 'corepack enable && yarn install --frozen-lockfile',
    dropDevelopment: 'true # yarn 1 and newer versions have no common command that removes development dependencies',
  },
  bun: {
    run: 'bun run',
    // `bun test` would start another test runner.
    test: 'bun run test',
    exec: 'bunx',
    installArguments: ['install', '--no-progress'],
    addForDevelopment: 'bun add --dev',
    lockfile: 'bun.lock',
    // Images with Node have no bun.
    installLocked: 'npm install --global bun && bun install --frozen-lockfile',
    dropDevelopment: 'rm -rf node_modules && bun install --frozen-lockfile --production',
  },
};

/** @returns the commands of a package manager */
export function wordsOf(packageManager: PackageManager): PackageManagerWords {
  return { install: `${packageManager} install`, test: `${packageManager} test`, ...WORDS[packageManager] };
}

/**
 * @param userAgent the value of `npm_config_user_agent`: `pnpm/10.1.0 npm/? node/v20.19.0 linux x64`
 * @returns the package manager that runs this program; npm if it is unknown
 */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const [name] = (userAgent ?? '').split('/');
  return PACKAGE_MANAGERS.find((each) => each === name) ?? 'npm';
}
