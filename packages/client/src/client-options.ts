/** The options of a client, and what each of them may be: from JavaScript, or past a cast, anything may come. */
import {
  OPTION_RULES,
  isObject,
  membersOf,
  wholeNumber,
  withOthers,
  type Clock,
  type OptionRule,
} from '@sigil-mcp/base';
import {
  CAPABILITY_RULES,
  IMPLEMENTATION_RULES,
  type ClientCapabilities,
  type Implementation,
} from '@sigil-mcp/protocol';
import type { QuestionHandlers } from './client/question-handlers';
import type { Traffic } from './connection/connection';
import type { ClientAuth } from './pipes/http-endpoint';

/** The options of a client: who it is, what it speaks, and how it answers questions. */
export interface ClientOptions extends QuestionHandlers {
  /** The name and the version of the application; `sigil-client` of version 1.0.0 if left out. */
  readonly clientInfo?: Implementation;
  /** The date of a revision, which the server must serve; the newest that both speak if left out. */
  readonly revision?: string;
  /** Capabilities in addition to those that follow from the handlers, such as `{ sampling: { tools: {} } }`; none if left out. */
  readonly capabilities?: ClientCapabilities;
  /** The token of each HTTP request; none if left out. */
  readonly auth?: ClientAuth;
  /** Milliseconds that a request may take, and that the server may be silent while it reports progress; 60000 if left out. */
  readonly timeout?: number;
  /** Milliseconds after which a request ends, even if the server still reports progress; 3600000 if left out. */
  readonly maxTimeout?: number;
  /** The source of time for all limits and pauses, for tests; the time of the machine if left out. */
  readonly clock?: Clock;
  /** Sends each HTTP request, such as through a proxy; that of Node if left out. Called as `fetch(url, init)`. */
  readonly fetch?: typeof fetch;
  /** Times that a server which is busy, or has a fault, is asked while the client connects; 4 if left out. */
  readonly attempts?: number;
  /** Gives up connecting; never if left out. */
  readonly signal?: AbortSignal;
  /** Called once when the connection has ended: with the reason, or without one after `close`. Not called if left out. */
  readonly onClose?: (reason: Error | undefined) => void;
  /**
   * Receives what went wrong outside of a request: lines on stdout that are not messages, malformed notifications, answers to nothing, the loss of the stream for changes, an error of
   * a listener. Ignored if left out.
   */
  readonly onFault?: (error: Error) => void;
  /** Receives each message as it is sent or received, for logs; no log if left out. */
  readonly onTraffic?: (entry: Traffic) => void;
}

const { function: FUNCTION, milliseconds: MILLISECONDS, object: OBJECT } = OPTION_RULES;

const AUTH_MEMBERS: Readonly<Record<keyof ClientAuth, OptionRule | undefined>> = {
  token: undefined,
  onChallenge: FUNCTION,
};
const AUTH: OptionRule = {
  wanted: 'an object with token, a text or a function',
  fits: (value) => isObject(value) && ['string', 'function'].includes(typeof value['token']),
  members: withOthers(AUTH_MEMBERS),
};

/** Those that are undefined are checked where they are read, which says more about them. */
export const CLIENT_OPTIONS: Readonly<Record<keyof ClientOptions, OptionRule | undefined>> = {
  clientInfo: membersOf(IMPLEMENTATION_RULES),
  revision: undefined,
  capabilities: membersOf(CAPABILITY_RULES),
  auth: AUTH,
  timeout: MILLISECONDS,
  maxTimeout: MILLISECONDS,
  clock: OBJECT,
  fetch: FUNCTION,
  attempts: wholeNumber(1),
  signal: OBJECT,
  onClose: FUNCTION,
  onFault: FUNCTION,
  onTraffic: FUNCTION,
  onElicit: FUNCTION,
  onElicitUrl: FUNCTION,
  onSample: FUNCTION,
  onRoots: FUNCTION,
};
