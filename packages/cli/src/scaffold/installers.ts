/** npm, pnpm and yarn: which one runs us, and what the same wish is called in each. */

/** The package managers that a project can be made for. */
export const PACKAGE_MANAGERS = ['npm', 'pnpm', 'yarn'] as const;

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
  /** The arguments of an installation that says little. */
  readonly installArguments: readonly string[];
  readonly lockfile: string;
  /** The installation in a container: exactly what the lock file says. */
  readonly installLocked: string;
  /** The removal of development dependencies in a container, after the build. */
  readonly dropDevelopment: string;
}

const RETRY_SOON = '--fetch-retry-mintimeout=2000';

const WORDS: Readonly<Record<PackageManager, PackageManagerWords>> = {
  npm: {
    run: 'npm run',
    test: 'npm test',
    exec: 'npx',
    install: 'npm install',
    // Without a network npm would try again for many minutes before it says so.
    installArguments: ['install', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', RETRY_SOON],
    lockfile: 'package-lock.json',
    installLocked: 'npm ci --no-audit --no-fund',
    dropDevelopment: 'npm prune --omit=dev --no-audit --no-fund',
  },
  pnpm: {
    run: 'pnpm',
    test: 'pnpm test',
    exec: 'pnpm exec',
    install: 'pnpm install',
    installArguments: ['install', '--reporter=append-only'],
    lockfile: 'pnpm-lock.yaml',
    installLocked: 'corepack enable && pnpm install --frozen-lockfile',
    dropDevelopment: 'CI=true pnpm prune --prod',
  },
  yarn: {
    run: 'yarn',
    test: 'yarn test',
    exec: 'yarn',
    install: 'yarn install',
    installArguments: ['install'],
    lockfile: 'yarn.lock',
    // Both lines of yarn take this flag; only the first could leave development dependencies out of it.
    installLocked: 'corepack enable && yarn install --frozen-lockfile',
    dropDevelopment: 'true # the two lines of yarn have no command in common that drops development dependencies',
  },
};

/** @returns what to type */
export function wordsOf(packageManager: PackageManager): PackageManagerWords {
  return WORDS[packageManager];
}

/**
 * @param userAgent what package managers put into `npm_config_user_agent`: `pnpm/10.1.0 npm/? node/v20.19.0 linux x64`
 * @returns the one that runs us; npm if it is none that we know
 */
export function packageManagerOf(userAgent: string | undefined): PackageManager {
  const [name] = (userAgent ?? '').split('/');
  return PACKAGE_MANAGERS.find((each) => each === name) ?? 'npm';
}
