/** An authorization server for the time of development: users choose who they are on a page, without a password. */
import { OPTION_RULES, requireOptions, wholeNumber, type OptionRule } from '@sigil-mcp/core/internal';
import { TestIssuer } from './issuer';
import type { People } from './issued-tokens';
import { testingError } from '../errors';

/** The options of `developmentIssuer`. */
export interface DevelopmentIssuerOptions {
  /** The URL of the server that the tokens are issued for, such as `http://127.0.0.1:3000/mcp`. */
  readonly resource: string;
  /** The users who can sign in, by the subject of their tokens. */
  readonly people: People;
  /** Its port, so that applications find it again after a restart; the one after the port of the resource if left out, or any free port. */
  readonly port?: number;
}

/** Of `developmentIssuer`. */
const DEVELOPMENT_OPTIONS: Readonly<Record<keyof DevelopmentIssuerOptions, OptionRule | undefined>> = {
  resource: OPTION_RULES.text,
  people: OPTION_RULES.object,
  port: wholeNumber(0, 65_535),
};

/**
 * Opens an authorization server on loopback, with a page on which users choose who they are. It says so on stderr. It does not keep the process
 * alive.
 * @throws SigilError if NODE_ENV is `production`
 * @example
 * const { url } = await developmentIssuer({ resource, people: { reader: { scopes: ['notes:read'] } } });
 */
export async function developmentIssuer(options: DevelopmentIssuerOptions): Promise<TestIssuer> {
  requireOptions('developmentIssuer', options, DEVELOPMENT_OPTIONS);
  const { resource, people, port } = options;
  if (process.env['NODE_ENV'] === 'production') throw testingError('SIGIL_DEVELOPMENT_ISSUER');
  const issuer = new TestIssuer({ audience: resource, people });
  await issuer.rotate();
  const next = Number(new URL(resource).port || 3000) + 1;
  await issuer.open(port ?? next).catch(() => issuer.open(0));
  issuer.unref();
  const names = Object.keys(people).join(', ');
  process.stderr.write(
    `The development issuer ${issuer.url} lets anyone on this machine sign in as ${names}, without a password.\n` +
      `In production, set ISSUER. For scripts: curl "${issuer.url}/token?as=${Object.keys(people)[0] ?? ''}"\n`,
  );
  return issuer;
}
