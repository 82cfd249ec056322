/**
 * The port between the kernel and a way of talking. Revisions that shake hands keep a conversation for many requests; others
 * carry all that there is to know in each request.
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
import type { ConversationChange, ConversationRecord } from './conversation-record';
import type { Exchange } from './exchange';
import type { Clock } from '../time/clock';
import type { RunningCalls } from './running-calls';

/** A call whose questions are opened. */
export interface QuestionedCall {
  readonly method: Method;
  /** Neutral parameters. */
  readonly params: object;
  readonly exchange: Exchange;
  /** The answers and the state that a request brought which was sent before; undefined for a first one. */
  readonly retry: RequestRetry | undefined;
  /** Opens and seals the states of calls that travel with clients. */
  readonly states: RequestStates;
  readonly clock: Clock;
  /**
   * Counts bytes of memory of what the client answered, until the handler of the call has ended. Throws `Denial` where there is no room
   * for them.
   */
  readonly hold: (bytes: number) => void;
}

/** One client's exchange of messages with the server, for as long as its revision says. */
export interface Conversation {
  /** The revision of the protocol that both sides speak. */
  readonly revision: Revision;
  /** Requests being answered; ids of different clients never meet. */
  readonly running: RunningCalls;
  /** What the client said of itself: in the metadata of this request, or once for all when it shook hands. */
  clientOf(meta: RequestMeta): ClientFacts;
  /** The least severe level that the client wants for a request; undefined for silence. */
  logThreshold(meta: RequestMeta): LogLevel | undefined;
  /** Opens the way on which one run of a call asks the client. Throws `ProtocolError` for a retry that is none of this call. */
  openQuestions(call: QuestionedCall): Questions;
  /** The part of the conversation that outlasts a request; undefined where nothing does. */
  readonly lasting: LastingConversation | undefined;
}

/** What is kept of a client between its requests. */
export interface LastingConversation {
  /** Sets the level for the requests to come. */
  setLogLevel(level: LogLevel): void;
  /** Whether the client hears of the changes of a resource. */
  isSubscribed(uri: string): boolean;
  /**
   * Begins a subscription: the client wants to hear of the changes of a resource, for as long as the conversation lasts.
   * @param giveBack gives back the room that it takes, when it ends or does not come to be
   * @returns a function that completes it if it is allowed, unless the client has unsubscribed by then; to be called in any case
   */
  subscribe(uri: string, giveBack: () => void): (isAllowed: boolean) => void;
  /** Ends a subscription, be it complete or just begun; without one nothing happens. */
  unsubscribe(uri: string): void;
  /** A change as this client is told about it; undefined if it does not want to know. */
  writeChange(change: ChangeNotification): JsonRpcNotification | undefined;
  /** Takes the client's answer to a question of the server; an answer nobody waits for is ignored. */
  acceptResponse(response: InboundResponse): void;
  /** Takes a notification by its method: the client is ready, or its roots have changed. Others are ignored. */
  notice(notification: string): void;
  /** Nothing comes from the client any more: who waits for an answer of it is told so. */
  hangUp(reason: Error): void;
  /** Bytes of memory that what its client said of itself costs. */
  readonly weight: number;
  /** What there is to know of it, for another process that goes on with it. */
  readonly record: ConversationRecord;
  /**
   * From now on other processes have a part in it.
   * @param asker is part of the ids of the questions that are asked here, so that no other process asks under the same
   * @param changed hears of each change that others have to know
   */
  share(asker: string, changed: (change: ConversationChange) => void): void;
  /** Takes over what has changed elsewhere. */
  restore(record: ConversationRecord): void;
}
