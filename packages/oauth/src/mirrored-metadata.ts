/**
 * The metadata of an issuer, for clients that look for it at the server that they call.
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization
 */
import { JsonLinesLogger, systemClock, type Auth, type Clock, type Logger } from '@sigil-mcp/core';
import { outsideRequests } from '@sigil-mcp/core/internal';
import { findMetadata } from './issuer-metadata';
import { outOfReach, RETRY_AFTER } from './claims';
import type { TokenOptions } from './token-options';
import type { JwtIssuer } from './jwt-options';

/** Milliseconds for which metadata is cached. */
const LONGEST = 10 * 60_000;

/** The member of `auth` for it; empty unless the option is set. */
export function mirrorOf(
  issuer: Pick<JwtIssuer, 'url' | 'metadata'>,
  { mirrorMetadata = false, logger, clock = systemClock }: TokenOptions,
): Pick<Auth, 'serverMetadata'> {
  if (!mirrorMetadata) return {};
  const mirror = new MirroredMetadata(issuer, logger ?? new JsonLinesLogger(), clock);
  return { serverMetadata: () => mirror.read() };
}

class MirroredMetadata {
  #kept: Promise<object> | undefined;
  #until = -Infinity;
  readonly #outside = outsideRequests();

  constructor(
    private readonly issuer: Pick<JwtIssuer, 'url' | 'metadata'>,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly clock: Clock,
  ) {}

  /** Fetches once for all pending requests. Rejects with a `Denial` with 503, and then does not try again for some seconds. */
  read(): Promise<object> {
    if (this.#kept && this.clock.elapsed() < this.#until) return this.#kept;
    this.#until = this.clock.elapsed() + LONGEST;
    return (this.#kept = this.#outside(() => this.#fetch()));
  }

  async #fetch(): Promise<object> {
    try {
      return await findMetadata(this.issuer.url, this.issuer.metadata);
    } catch (error) {
      this.logger.warn({ issuer: this.issuer.url, err: error }, 'The metadata of an issuer could not be fetched');
      this.#until = this.clock.elapsed() + RETRY_AFTER * 1000;
      throw outOfReach('The issuer is');
    }
  }
}
