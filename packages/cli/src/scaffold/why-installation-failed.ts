/** From the output of a package manager to the reason in one line. */
import type { ProgramEnd } from './run-program';

const OFFLINE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;
const NETWORK = /\bnpm (?:error|ERR!) network\b|network (?:connectivity|request|timeout)/i;

/** @returns the reason, to be read after a colon, without a full stop */
export function whyInstallationFailed(packageManager: string, { missing, said }: ProgramEnd): string {
  if (missing) return `${packageManager} is not installed`;
  return isOffline(said) ?? `${packageManager} says "${firstReason(said)}"`;
}

/** @returns the reason if the registry cannot be reached */
export function isOffline(said: string): string | undefined {
  const [code] = OFFLINE.exec(said) ?? [];
  if (code !== undefined) return `the package registry cannot be reached (${code})`;
  return NETWORK.test(said) ? 'the package registry cannot be reached' : undefined;
}

/** How npm, pnpm, yarn and bun report that a registry does not have one of our packages. */
const LACKING =
  /404[^\n]*@sigil-mcp|@sigil-mcp[^\n]*(?:\b404\b|is not in this registry|not found)|find package "@sigil-mcp/i;

/** Whether the registry answered that it does not have our packages. */
export function lacksSigil(said: string): boolean {
  return isOffline(said) === undefined && LACKING.test(said);
}

/** How package managers begin a line with an error. */
const PREFIX = /^(?:npm (?:error|ERR!)|\s*ERR_PNPM_\w+|error:?(?=\s))\s*/;

/** The first line with a reason, without the prefix of the package manager. Yarn and bun write their names and versions before it. */
export function firstReason(said: string): string {
  const all = said.split('\n');
  const errors = all.filter((line) => PREFIX.test(line));
  const lines = (errors.length > 0 ? errors : all)
    .map((line) => line.replace(PREFIX, '').trim())
    .filter((line) => line !== '' && !/^(code|A complete log|errno|syscall)\b/.test(line));
  return (lines[0] ?? 'nothing').replace(/\.$/, '');
}
