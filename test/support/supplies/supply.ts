/**
 * What some tests need and a machine may lack. Such a suite is declared here: where its supply is missing it is skipped under a
 * name that says so, `npm test` counts it and names the command that supplies it, and SIGIL_REQUIRE_ALL=1 makes it a failure.
 */
import { hasApis } from './apis';
import { hasChromium } from './chromium';
import { findOfficialSchemas } from './find-official-schemas';
import { hasNginx } from './nginx';
import { hasPlatforms } from './platforms';
import { hasPrometheus } from './prometheus';
import { hasPseudoTerminal } from './pseudo-terminal';
import { hasRedisServer } from './redis-server';
import { hasShell } from './shell';
import { hasSqlite } from './sqlite';
import supplies from './supplies.json';

/** The name of a supply. */
export type SupplyName = keyof typeof supplies;

const IS_THERE: Readonly<Record<SupplyName, () => boolean>> = {
  apis: hasApis,
  chromium: hasChromium,
  fish: () => hasShell('fish'),
  nginx: hasNginx,
  'official-schemas': () => findOfficialSchemas() !== undefined,
  platforms: hasPlatforms,
  prometheus: hasPrometheus,
  'pseudo-terminal': hasPseudoTerminal,
  'redis-server': hasRedisServer,
  sqlite: hasSqlite,
  zsh: () => hasShell('zsh'),
};

/**
 * Whether a supply is there, for tests that look closer with it and still prove something without.
 * @throws Error where it is missing and SIGIL_REQUIRE_ALL=1
 */
export function isSupplied(name: SupplyName): boolean {
  const isThere = IS_THERE[name]();
  if (!isThere && process.env['SIGIL_REQUIRE_ALL'] === '1') throw new Error(missing(name));
  return isThere;
}

/** A `describe` for what needs a supply. */
export function describeWith(name: SupplyName, title: string, suite: () => void): void {
  if (IS_THERE[name]()) describe(title, suite);
  else if (process.env['SIGIL_REQUIRE_ALL'] === '1')
    describe(title, () => void it(missing(name), () => void isSupplied(name)));
  // The tests are declared all the same, so that each of them is counted.
  else describe.skip(`${title} [needs ${name}]`, suite);
}

function missing(name: SupplyName): string {
  const { what, command } = supplies[name];
  return `${what} cannot be found: ${command}`;
}
