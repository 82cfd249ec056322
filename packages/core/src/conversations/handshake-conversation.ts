/** A conversation that `initialize` opened: the client said once who it is and what it can do. */
import type { ChangeNotification, InboundResponse, JsonRpcNotification, LogLevel, Revision } from '@sigil-mcp/protocol';
import { KeptRoots } from '../asking/kept-roots';
import { OpenQuestions } from '../asking/open-questions';
import type { Questions } from '../asking/questions';
import { SentQuestions } from '../asking/sent-questions';
import type { ClientFacts } from '../context/mcp-context';
import type { RunningCalls } from '../calls/running-calls';
import type { Conversation, LastingConversation, QuestionedCall } from '../calls/conversation';
import { unawaited } from '../values/maybe-promise';

/** A subscription that has begun and is not complete. */
interface Wish {
  readonly uri: string;
  isGivenUp: boolean;
}

/** Lives as long as the process (stdio) or the session (HTTP). */
export class HandshakeConversation implements Conversation, LastingConversation {
  readonly lasting: LastingConversation = this;
  #logLevel: LogLevel = 'info';
  /** The resources that its client has subscribed to, each with what gives their room back. */
  #subscribed: Map<string, () => void> | undefined;
  /** Subscriptions that have begun and are not complete: whether they are allowed is being found out. */
  #wishes: Set<Wish> | undefined;
  /** Made when they are needed: a session that is idle holds nothing. */
  #questions: OpenQuestions | undefined;
  #roots: KeptRoots | undefined;
  #isReady = false;

  constructor(
    readonly revision: Revision,
    readonly running: RunningCalls,
    private readonly client: ClientFacts,
    /** Why the client cannot be asked anything; undefined if it can. */
    private readonly unreachable: string | undefined = undefined,
  ) {}

  clientOf(): ClientFacts {
    return this.client;
  }

  /** The specification leaves the level to the server until the client sets one. */
  logThreshold(): LogLevel {
    return this.#logLevel;
  }

  setLogLevel(level: LogLevel): void {
    this.#logLevel = level;
  }

  isSubscribed(uri: string): boolean {
    return this.#subscribed?.has(uri) ?? false;
  }

  subscribe(uri: string, giveBack: () => void): (isAllowed: boolean) => void {
    const subscribed = this.#openSubscriptions();
    const wish: Wish = { uri, isGivenUp: false };
    const wishes = (this.#wishes ??= new Set());
    wishes.add(wish);
    return (isAllowed) => {
      wishes.delete(wish);
      const begins = isAllowed && !wish.isGivenUp && !this.running.isOver && !subscribed.has(uri);
      if (begins) subscribed.set(uri, giveBack);
      else giveBack();
    };
  }

  unsubscribe(uri: string): void {
    this.#subscribed?.get(uri)?.();
    this.#subscribed?.delete(uri);
    for (const wish of this.#wishes ?? []) wish.isGivenUp ||= wish.uri === uri;
  }

  #openSubscriptions(): Map<string, () => void> {
    if (this.#subscribed) return this.#subscribed;
    const subscribed = (this.#subscribed = new Map<string, () => void>());
    this.running.onOver(() => {
      for (const giveBack of subscribed.values()) giveBack();
    });
    return subscribed;
  }

  /** Changes of lists are told to every client, changes of a resource to those that subscribed to it. */
  writeChange(change: ChangeNotification): JsonRpcNotification | undefined {
    if ('uri' in change && !this.#subscribed?.has(change.uri)) return undefined;
    return this.revision.writeNotification(change);
  }

  openQuestions({ exchange }: QuestionedCall): Questions {
    const open = (this.#questions ??= new OpenQuestions(this.#isReady));
    const saysWhenRootsChange = this.client.capabilities.roots?.listChanged === true;
    const roots = saysWhenRootsChange ? (this.#roots ??= new KeptRoots()) : undefined;
    const { revision, unreachable } = this;
    // A client that cannot be reached hangs up, which fails the question.
    const send = (text: string): void => unawaited(exchange.notify(text));
    return new SentQuestions({ revision, unreachable, open, roots, send });
  }

  acceptResponse(response: InboundResponse): void {
    this.#questions?.settle(response);
  }

  hangUp(reason: Error): void {
    this.#questions?.hangUp(reason);
  }

  notice(notification: string): void {
    if (notification === 'notifications/roots/list_changed') this.#roots?.forget();
    if (notification !== 'notifications/initialized') return;
    this.#isReady = true;
    this.#questions?.ready();
  }
}
