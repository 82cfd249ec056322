/**
 * The port between the kernel and a lifecycle. Handshake revisions keep a conversation for many requests; in the others, each request
 * carries everything that the server needs to know.
 */
import type {
  ChangeNotification,
  InboundResponse,
  JsonRpcNotification,
  LogLevel,
  Method,
  RequestMeta,
  RequestRetry,
  Revision,
} from '@sigil-mcp/protocol';
import type { Questions } from '../asking/questions';
import type { RequestStates } from '../asking/request-states';
import type { ClientFacts } from '../context/mcp-context';
import type { Notes } from '../context/observer';
import type { ConversationChange, ConversationRecord } from './conversation-record';
import type { Exchange } from './exchange';
import type { Clock } from '@sigil-mcp/base';
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
