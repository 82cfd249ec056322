/**
 * The port between the kernel and a lifecycle. Handshake revisions keep a conversation for many requests; in the others, each request
 * carries everything that the server needs to know.
 */
import { isObject, type Clock, type MaybePromise } from '@sigil-mcp/base';
import {
  LOG_LEVELS,
  type ChangeNotification,
  type ClientCapabilities,
  type InboundResponse,
  type JsonRpcNotification,
  type LogLevel,
  type Method,
  type RequestMeta,
  type RequestRetry,
  type Revision,
} from '@sigil-mcp/protocol';
import type { Questions } from '../asking/questions';
import type { RequestStates } from '../asking/request-states';
import type { Caller } from '../context/caller';
import type { ClientFacts, RequestHeaders } from '../context/mcp-context';
import type { Network, Notes } from '../context/observer';
import type { MirroredArgument } from '../mirrored-arguments/mirrored-arguments';
import { normalUri } from '../values/normal-uri';
import type { RunningCalls } from './running-calls';

/** A call whose questions are opened. */
export interface QuestionedCall {
  readonly method: Method;
  /** Neutral parameters. */
  readonly params: object;
  readonly exchange: Exchange;
  /** The answers and the state that a retried request brought; undefined for a first request. */
  readonly retry: RequestRetry | undefined;
  /** Opens and seals the states of calls that clients hold. */
  readonly states: RequestStates;
  readonly clock: Clock;
  /** What observers note for the next round; undefined for nothing. */
  readonly notes: () => Notes | undefined;
  /**
   * Counts the memory of the client's answers, in bytes, until the handler of the call has ended. Throws `Denial` if the limit is
   * reached.
   */
  readonly hold: (bytes: number) => void;
}

/** One client's exchange of messages with the server, for as long as its revision defines. */
export interface Conversation {
  /** The revision of the protocol that both sides speak. */
  readonly revision: Revision;
  /** Requests being answered; ids of different clients never meet. */
  readonly running: RunningCalls;
  /** The client's description of itself: from the metadata of this request, or from its handshake. */
  clientOf(meta: RequestMeta): ClientFacts;
  /** The lowest level of log messages that the client wants for a request; undefined for no messages. */
  logThreshold(meta: RequestMeta): LogLevel | undefined;
  /** Opens the questions of one run of a call. Throws `ProtocolError` for a retry that does not belong to this call. */
  openQuestions(call: QuestionedCall): Questions;
  /** Whether it is that of a call without a request; false if left out. */
  readonly isBackground?: boolean;
  /** The part of the conversation that outlasts a request; undefined if there is no such part. */
  readonly lasting: LastingConversation | undefined;
}

/** Called with a resource to which a client is subscribed, or no longer is. */
export type FollowSubscription = (uri: string, isSubscribed: boolean) => void;

/** The state of a client between its requests. */
export interface LastingConversation {
  /** The client's description of itself. */
  readonly client: ClientFacts;
  /** Sets the level for later requests. */
  setLogLevel(level: LogLevel): void;
  /** Whether the client is notified of changes of a resource. */
  isSubscribed(uri: string): boolean;
  /**
   * Begins a subscription: the client is notified of changes of a resource for as long as the conversation lasts.
   * @param giveBack releases its budget, when it ends or is not completed
   * @returns a function that completes the subscription if it is allowed, unless the client has unsubscribed since; call it in any case
   */
  subscribe(uri: string, giveBack: () => void): (isAllowed: boolean) => void;
  /** Ends a subscription, complete or not; does nothing if there is no such subscription. */
  unsubscribe(uri: string): void;
  /**
   * Reports each resource that the client is subscribed to, at once, and each change of them from now on.
   * @returns a function that stops it
   */
  followSubscriptions(follower: FollowSubscription): () => void;
  /** The notification of a change for this client; undefined if the client is not subscribed. */
  writeChange(change: ChangeNotification): JsonRpcNotification | undefined;
  /** Takes the client's answer to a question of the server; an answer that is not awaited is ignored. */
  acceptResponse(response: InboundResponse): void;
  /** Takes a notification by its method: the client is ready, or its roots have changed. Others are ignored. */
  notice(notification: string): void;
  /** No more messages will come from the client: pending questions fail with the reason. */
  hangUp(reason: Error): void;
  /** Memory of the client's description of itself, in bytes. */
  readonly weight: number;
  /** Its state, for another process that continues it. */
  readonly record: ConversationRecord;
  /**
   * From now on other processes take part in it.
   * @param asker becomes part of the ids of questions that are asked here, so that no other process uses the same ids
   * @param changed is called with each change that other processes must know
   */
  share(asker: string, changed: (change: ConversationChange) => void): void;
  /** Applies changes of other processes. */
  restore(record: ConversationRecord): void;
}

/**
 * The resources that a client is subscribed to.
 * @param client its conversation, or who listens for it
 */
export function subscriptionsOf(client: Pick<LastingConversation, 'followSubscriptions'>): readonly string[] {
  const uris: string[] = [];
  client.followSubscriptions((uri) => void uris.push(uri))();
  return uris;
}

// One request and the way back to its client: a transport's view of a single call.

/** Made by a transport; one for each request, or one for a whole connection if its requests do not differ. */
export interface Exchange {
  /** Empty if the transport has none. */
  readonly headers: RequestHeaders;
  /** Of the kind `anonymous` if no caller was authenticated. */
  readonly caller: Caller;
  /** The connection or session of the exchange, the same object for all of its exchanges; undefined if it belongs to neither. */
  readonly session?: object | undefined;
  /** IP address of the client; undefined if the transport has none. */
  readonly address?: string | undefined;
  /** Undefined if both ends are in one process. */
  readonly network?: Network | undefined;
  /** The id of its session, as the client sends it; undefined without one. Never to be logged. */
  readonly sessionId?: string | undefined;
  /**
   * Sends a message that belongs to this call, before its response.
   * @param text one JSON-RPC message
   * @returns a promise if the output is congested; it resolves when there is room again
   */
  notify(text: string): MaybePromise<void>;
  /** Whether messages of other calls share the same output; false if left out. */
  readonly isShared?: boolean;
  /** Whether the client can receive notifications of changes, on this exchange or on another stream; true if left out. */
  readonly hearsChanges?: boolean;
  /** Why the client cannot be asked anything on this exchange; undefined if it can. */
  readonly unreachable?: string | undefined;
  /** Receives the progress of its calls, which then is not sent; sent as notifications if left out. */
  progress?(progress: number, total: number | undefined, message: string | undefined): MaybePromise<void>;
  /** Closes the connection while the call runs on; undefined if a client could not reconnect for the rest. */
  release?(): void;
  /**
   * Compares the arguments of a tool with headers that repeat them; undefined if the transport has no headers.
   * @param mirrored the arguments that the tool declares as repeated in headers
   * @param sent the raw arguments of the client
   * @throws ProtocolError `header-mismatch`
   */
  checkMirrored?(mirrored: readonly MirroredArgument[], sent: unknown): void;
}

/** Who is at the other end of an exchange, and how it is reached. */
export type ExchangeAccess = Pick<Exchange, 'headers' | 'caller' | 'address' | 'network' | 'sessionId'>;

// A conversation in a form that another process can continue: plain JSON, and the changes of it.

/** The state of a conversation that `initialize` opened. Names are short, because each session stores one of these. */
export interface ConversationRecord {
  /** The date of the revision. */
  readonly revision: string;
  /** Name, version and capabilities of the client. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly capabilities: ClientCapabilities;
  /** The lowest level of log messages that the client wants to receive. */
  readonly level: LogLevel;
  /** Whether the client has reported that it is ready for questions. */
  readonly ready: boolean;
  /** The resources that it has subscribed to, in the normal form of their URIs: records are searched again and again. */
  readonly subscribed: readonly string[];
  /** Normal form -> the URI as the client has written it, where that is another text. Left out for none. */
  readonly spelled?: Readonly<Record<string, string>> | undefined;
  /** How often its roots have changed. */
  readonly roots: number;
}

/** One change of a conversation. Changes of two processes are both applied, in any order. */
export type ConversationChange =
  | { readonly kind: 'level'; readonly level: LogLevel }
  | { readonly kind: 'ready' | 'roots' }
  | { readonly kind: 'subscribed' | 'unsubscribed'; readonly uri: string };

/** Whether a stored value is a record; another version of a server may have written something else. */
export function isConversationRecord(value: unknown): value is ConversationRecord {
  if (!isObject(value)) return false;
  const { revision, capabilities, level, ready, subscribed, spelled = {}, roots } = value;
  const areTexts =
    Array.isArray(subscribed) && subscribed.every(isText) && isObject(spelled) && Object.values(spelled).every(isText);
  const isKnown =
    LOG_LEVELS.some((known) => known === level) && typeof ready === 'boolean' && typeof roots === 'number';
  return typeof revision === 'string' && isObject(capabilities) && areTexts && isKnown;
}

/** A record after a change; the same object if it changes nothing. */
export function changeRecord(record: ConversationRecord, change: ConversationChange): ConversationRecord {
  switch (change.kind) {
    case 'level':
      return record.level === change.level ? record : { ...record, level: change.level };
    case 'ready':
      return record.ready ? record : { ...record, ready: true };
    case 'roots':
      return { ...record, roots: record.roots + 1 };
    case 'subscribed':
      return withSubscription(record, change.uri);
    case 'unsubscribed':
      return withoutSubscription(record, normalUri(change.uri));
  }
}

function withSubscription(record: ConversationRecord, uri: string): ConversationRecord {
  const key = normalUri(uri);
  if (record.subscribed.includes(key)) return record;
  const subscribed = [...record.subscribed, key];
  return key === uri
    ? { ...record, subscribed }
    : { ...record, subscribed, spelled: { ...record.spelled, [key]: uri } };
}

function withoutSubscription(record: ConversationRecord, key: string): ConversationRecord {
  const subscribed = record.subscribed.filter((each) => each !== key);
  if (subscribed.length === record.subscribed.length) return record;
  if (!record.spelled || !Object.hasOwn(record.spelled, key)) return { ...record, subscribed };
  const { [key]: _ended, ...spelled } = record.spelled;
  return { ...record, subscribed, spelled };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
