/** A conversation that `initialize` opened: the client said once who it is and what it can do. */
import {
  weightOfValue,
  type ChangeNotification,
  type InboundResponse,
  type JsonRpcNotification,
  type LogLevel,
  type Revision,
} from '@sigil-mcp/protocol';
import { CachedRoots } from '../asking/cached-roots';
import { PendingQuestions } from '../asking/pending-questions';
import type { Questions } from '../asking/questions';
import { SentQuestions } from '../asking/sent-questions';
import type { ClientFacts } from '../context/mcp-context';
import type { ConversationChange, ConversationRecord } from '../calls/conversation-record';
import type { RunningCalls } from '../calls/running-calls';
import { declares } from '../extensions/served-extensions';
import type { Conversation, LastingConversation, QuestionedCall } from '../calls/conversation';
import type { HeldWeight } from '../limits/held-weight';
import type { SubscriptionBudget } from '../limits/subscription-budget';
import { unawaited } from '@sigil-mcp/base';

/** A subscription that has begun and is not complete. */
interface Wish {
  readonly uri: string;
  isGivenUp: boolean;
}

/** Where a conversation takes place. */
export interface ConversationSetting {
  /** What its memory is counted in, with that of all others. */
  readonly weight: HeldWeight;
  readonly subscriptions: SubscriptionBudget;
  /** Why the client cannot be asked anything; undefined if it can. */
  readonly unreachable?: string | undefined;
}

/** What other processes have to know. */
interface Sharing {
  readonly asker: string;
  readonly changed: (change: ConversationChange) => void;
}

/** Lives as long as the process (stdio) or the session (HTTP). */
export class HandshakeConversation implements Conversation, LastingConversation {
  readonly lasting: LastingConversation = this;
  #logLevel: LogLevel = 'info';
  /** How often the roots have changed. */
  #rootChanges = 0;
  #sharing: Sharing | undefined;
  /** The resources that its client has subscribed to, each with what gives their room back. */
  #subscribed: Map<string, () => void> | undefined;
  /** Subscriptions that have begun and are not complete: whether they are allowed is being found out. */
  #wishes: Set<Wish> | undefined;
  /** Made when they are needed: a session that is idle holds nothing. */
  #questions: PendingQuestions | undefined;
  #roots: CachedRoots | undefined;
  #isReady = false;

  constructor(
    readonly revision: Revision,
    readonly running: RunningCalls,
    readonly client: ClientFacts,
    private readonly setting: ConversationSetting,
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
    this.#sharing?.changed({ kind: 'level', level });
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
      if (!begins) return giveBack();
      subscribed.set(uri, giveBack);
      this.#sharing?.changed({ kind: 'subscribed', uri });
    };
  }

  unsubscribe(uri: string): void {
    this.#forget(uri);
    for (const wish of this.#wishes ?? []) wish.isGivenUp ||= wish.uri === uri;
    this.#sharing?.changed({ kind: 'unsubscribed', uri });
  }

  #forget(uri: string): void {
    this.#subscribed?.get(uri)?.();
    this.#subscribed?.delete(uri);
  }

  #openSubscriptions(): Map<string, () => void> {
    if (this.#subscribed) return this.#subscribed;
    const subscribed = (this.#subscribed = new Map<string, () => void>());
    this.running.onOver(() => {
      for (const giveBack of subscribed.values()) giveBack();
      subscribed.clear();
    });
    return subscribed;
  }

  /** Changes of lists are sent to every client, those of a resource to its subscribers, those of an extension to clients that declared it. */
  writeChange(change: ChangeNotification): JsonRpcNotification | undefined {
    if (change.method === 'extension' && !declares(this.client, change.extension)) return undefined;
    if ('uri' in change && !this.#subscribed?.has(change.uri)) return undefined;
    return this.revision.writeNotification(change);
  }

  openQuestions({ exchange, clock, hold }: QuestionedCall): Questions {
    const open = (this.#questions ??= new PendingQuestions(this.#isReady, this.#sharing?.asker));
    const saysWhenRootsChange = this.client.capabilities.roots?.listChanged === true;
    const roots = saysWhenRootsChange ? (this.#roots ??= this.#keepRoots()) : undefined;
    const { revision } = this;
    const { unreachable } = this.setting;
    // A client that cannot be reached hangs up, which fails the question.
    const send = (text: string): void => unawaited(exchange.notify(text));
    return new SentQuestions({ revision, unreachable, open, roots, send, clock, hold });
  }

  /** What is kept of the client's roots counts for as long as it is kept. */
  #keepRoots(): CachedRoots {
    const { load } = this.running;
    const roots = new CachedRoots((bytes) => this.setting.weight.count(load, bytes));
    this.running.onOver(() => roots.forget());
    return roots;
  }

  acceptResponse(response: InboundResponse): void {
    this.#questions?.settle(response);
  }

  hangUp(reason: Error): void {
    this.#questions?.hangUp(reason);
  }

  notice(notification: string): void {
    if (notification === 'notifications/roots/list_changed') {
      this.#changeRoots(this.#rootChanges + 1);
      this.#sharing?.changed({ kind: 'roots' });
    }
    if (notification !== 'notifications/initialized') return;
    this.#beReady();
    this.#sharing?.changed({ kind: 'ready' });
  }

  #changeRoots(changes: number): void {
    if (this.#rootChanges === changes) return;
    this.#rootChanges = changes;
    this.#roots?.forget();
  }

  #beReady(): void {
    this.#isReady = true;
    this.#questions?.ready();
  }

  get weight(): number {
    return weightOfValue(this.client);
  }

  get record(): ConversationRecord {
    const { name, version, capabilities } = this.client;
    return {
      revision: this.revision.version,
      name,
      version,
      capabilities,
      level: this.#logLevel,
      ready: this.#isReady,
      subscribed: [...(this.#subscribed?.keys() ?? [])],
      roots: this.#rootChanges,
    };
  }

  share(asker: string, changed: (change: ConversationChange) => void): void {
    this.#sharing = { asker, changed };
  }

  restore({ level, ready, subscribed, roots }: ConversationRecord): void {
    if (this.running.isOver) return;
    this.#logLevel = level;
    if (ready && !this.#isReady) this.#beReady();
    this.#changeRoots(roots);
    for (const uri of this.#subscribed?.keys() ?? []) if (!subscribed.includes(uri)) this.#forget(uri);
    for (const uri of subscribed) if (!this.isSubscribed(uri)) this.#adopt(uri);
  }

  /** A subscription that was allowed, and counted, where it began. */
  #adopt(uri: string): void {
    this.#openSubscriptions().set(uri, this.setting.subscriptions.adopt(this.running.load, uri));
  }
}
