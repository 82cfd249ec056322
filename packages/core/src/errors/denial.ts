/** Refusals with a reason for the client: of a guard, and for missing rights. */
import { OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/base';
import { ProtocolError, type ErrorName, type JsonObject } from '@sigil-mcp/protocol';
import { sigilError } from './catalogue';

/** The options of a denial, in addition to its message. */
export interface DenialOptions {
  /** JSON-RPC error code, outside -32768..-32000; the protocol's "invalid request" if left out. */
  readonly code?: number;
  /** The name of a protocol error, in place of a code; none if left out. */
  readonly error?: ErrorName;
  /** HTTP status of an error, 400 to 599, if the call came over HTTP; 403 if left out. */
  readonly status?: number;
  /** Value of the `WWW-Authenticate` header, if the call came over HTTP; no header if left out. */
  readonly challenge?: string;
  /** Data for programs, in addition to `retryAfter`; none if left out. */
  readonly data?: JsonObject;
  /**
   * Whole seconds after which the caller may try again: the `Retry-After` header, if the call came over HTTP, and `retryAfter` in the
   * error's data in any case. Not sent if left out.
   */
  readonly retryAfter?: number;
  /** The option that sets the limit which the caller has reached, such as `limits.calls`: for observers, not sent. None if left out. */
  readonly limit?: string;
}

/** Those that are undefined are checked where they are read, which says more about them. */
const OPTIONS: Readonly<Record<keyof DenialOptions, OptionRule | undefined>> = {
  code: { wanted: 'a whole number', fits: Number.isSafeInteger },
  error: OPTION_RULES.text,
  status: undefined,
  challenge: OPTION_RULES.anyText,
  data: OPTION_RULES.object,
  retryAfter: undefined,
  limit: OPTION_RULES.text,
};

/**
 * Returned by a guard instead of `false` if the caller may know that the entry exists and why the call is refused.
 * @throws DefinitionError for options that do not exist or are of the wrong kind, SigilError for a status that is not one of an error, and for seconds that are not a whole number of at least 0
 * @example return new Denial('Needs the scope alerts:write', { status: 403 });
 */
export class Denial extends ProtocolError {
  readonly status: number;
  readonly challenge: string | undefined;
  readonly retryAfter: number | undefined;
  readonly limit: string | undefined;

  constructor(message: string, options: DenialOptions = {}) {
    requireOptions('Denial', options, OPTIONS);
    const { retryAfter, data, status = 403 } = options;
    // With 1xx a client keeps waiting, and with 204 or 304 there would be no answer.
    if (!Number.isInteger(status) || status < 400 || status > 599) throw sigilError('SIGIL_DENIAL_STATUS', { status });
    if (retryAfter !== undefined && (!Number.isSafeInteger(retryAfter) || retryAfter < 0))
      throw sigilError('SIGIL_DENIAL_RETRY', { retryAfter });
    super(
      options.code ?? options.error ?? 'invalid-request',
      message,
      retryAfter === undefined ? data : { ...data, retryAfter },
    );
    this.status = status;
    this.challenge = options.challenge;
    this.retryAfter = retryAfter;
    this.limit = options.limit;
  }
}

/** The caller lacks scopes. */
export class MissingScopes extends Denial {
  /** @param scopes all that the operation needs, also those that the caller has */
  constructor(readonly scopes: readonly string[]) {
    super(`This request needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(' ')}.`, {
      status: 403,
      data: { error: 'insufficient_scope', scope: scopes.join(' ') },
    });
  }
}

/** The caller is unknown, and such callers may use public entries only. */
export class MissingToken extends Denial {
  /** @param scopes that a caller with a token needs, as far as an unknown caller may learn them */
  constructor(readonly scopes: readonly string[]) {
    super('This request needs a token. Send it in the header "Authorization: Bearer <token>".', { status: 401 });
  }
}

// Errors about a limit that a client has reached, with its name for observers.

/** A message that exceeds a limit by itself: sent again, it would be refused again. */
export class ExceededLimit extends ProtocolError {
  /** @param limit the option that sets the limit, such as `limits.clientFacts` */
  constructor(
    error: ErrorName,
    message: string,
    readonly limit: string,
  ) {
    super(error, message);
  }
}

/** The option that sets the limit which an error is about; undefined for any other error. */
export function limitOf(error: unknown): string | undefined {
  return error instanceof Denial || error instanceof ExceededLimit ? error.limit : undefined;
}

/**
 * The answer to what would make the server hold too much: 503 over HTTP, and to be sent again later.
 * @param limit the option that sets the limit, such as `limits.calls`
 * @param sentence says what the limit is, and names it
 */
export function overload(limit: string, sentence: string): Denial {
  return new Denial(sentence, { error: 'internal-error', status: 503, retryAfter: 1, limit });
}
