/** A conversation that `initialize` opened: the client said once who it is and what it can do. */
import { unawaited } from '@sigil-mcp/base';
import {
  weightOfValue,
  type ChangeNotification,
  type InboundResponse,
  type JsonRpcNotification,
  type LogLevel,
  type Revision,
} from '@sigil-mcp/protocol';
import type { CallMemory } from '../asking/call-memory';
import { LiveQuestions, type LiveWay } from '../asking/live-questions';
import { PendingQuestions } from '../asking/pending-questions';
import type { Questions } from '../asking/questions';
import { CachedRoots, SentQuestions } from '../asking/sent-questions';
import type {
  Conversation,
  ConversationChange,
  ConversationRecord,
  FollowSubscription,
  LastingConversation,
  QuestionedCall,
} from '../calls/conversation';
import { RunningCalls } from '../calls/running-calls';
import type { ClientFacts } from '../context/mcp-context';
import { declares } from '../extensions/extension-call';
import type { Account } from '../limits/account';
import type { SubscriptionBudget } from '../limits/budget';
import type { ClientLoad } from '../limits/client-load';
import { ResourceSubscriptions } from './resource-subscriptions';

/** Where a conversation takes place. */
export interface ConversationSetting {
  /** What its memory is counted in, with that of all others. */
  readonly account: Account;
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
  /** Made when they are needed: a session that is idle holds nothing. */
  #subscriptions: ResourceSubscriptions | undefined;
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
    return this.#subscriptions?.find(uri) !== undefined;
  }

  subscribe(uri: string, giveBack: () => void): (isAllowed: boolean) => void {
    return this.#openSubscriptions().begin(uri, giveBack, () => this.#sharing?.changed({ kind: 'subscribed', uri }));
  }

  unsubscribe(uri: string): void {
    this.#subscriptions?.delete(uri);
    this.#subscriptions?.giveUp(uri);
    this.#sharing?.changed({ kind: 'unsubscribed', uri });
  }

  followSubscriptions(follower: FollowSubscription): () => void {
    return this.#openSubscriptions().follow(follower);
  }

  #openSubscriptions(): ResourceSubscriptions {
    if (this.#subscriptions) return this.#subscriptions;
    const subscriptions = (this.#subscriptions = new ResourceSubscriptions());
    this.running.onOver(() => subscriptions.end());
    return subscriptions;
  }

  /** Changes of lists are sent to every client, those of a resource to its subscribers, those of an extension to clients that declared it. */
  writeChange(change: ChangeNotification): JsonRpcNotification | undefined {
    if (change.method === 'extension' && !declares(this.client, change.extension)) return undefined;
    if (!('uri' in change)) return this.revision.writeNotification(change);
    const uri = this.#subscriptions?.find(change.uri);
    return uri === undefined ? undefined : this.revision.writeNotification({ ...change, uri });
  }

  openQuestions({ exchange, clock, hold }: QuestionedCall): Questions {
    const open = (this.#questions ??= new PendingQuestions(this.#isReady, this.#sharing?.asker));
    const saysWhenRootsChange = this.client.capabilities.roots?.listChanged === true;
    const roots = saysWhenRootsChange ? (this.#roots ??= this.#keepRoots()) : undefined;
    const { revision } = this;
    const unreachable = this.setting.unreachable ?? exchange.unreachable;
    // A client that cannot be reached hangs up, which fails the question.
    const send = (text: string): void => unawaited(exchange.notify(text));
    return new SentQuestions({ revision, unreachable, open, roots, send, clock, hold });
  }

  /** What is kept of the client's roots counts for as long as it is kept. */
  #keepRoots(): CachedRoots {
    const { load } = this.running;
    const roots = new CachedRoots((bytes) => this.setting.account.count(load, 'answers', bytes));
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
      ...(this.#subscriptions?.record ?? { subscribed: [] }),
      roots: this.#rootChanges,
    };
  }

  share(asker: string, changed: (change: ConversationChange) => void): void {
    this.#sharing = { asker, changed };
  }

  restore(record: ConversationRecord): void {
    const { level, ready, subscribed, roots } = record;
    if (this.running.isOver) return;
    this.#logLevel = level;
    if (ready && !this.#isReady) this.#beReady();
    this.#changeRoots(roots);
    if (!this.#subscriptions && subscribed.length === 0) return;
    // They were allowed, and counted, where they began.
    this.#openSubscriptions().replace(record, (uri) => this.setting.subscriptions.adopt(this.running.load, uri));
  }
}

// The conversation of a call without a request: its client was known when the call was recorded, and is asked another way.

/** Made for each run of such a call. */
export class BackgroundConversation implements Conversation {
  readonly isBackground = true;
  readonly lasting = undefined;
  readonly running: RunningCalls;
  readonly #questions: LiveQuestions;

  constructor(
    readonly revision: Revision,
    private readonly client: ClientFacts,
    { memory, way, load }: { readonly memory: CallMemory; readonly way: LiveWay; readonly load: ClientLoad },
  ) {
    this.running = new RunningCalls(load);
    this.#questions = new LiveQuestions(memory, way, revision);
  }

  clientOf(): ClientFacts {
    return this.client;
  }

  /** Nobody reads log messages of a call without a request. */
  logThreshold(): LogLevel | undefined {
    return undefined;
  }

  openQuestions({ hold }: Pick<QuestionedCall, 'hold'>): Questions {
    this.#questions.hold = hold;
    return this.#questions;
  }

  /** Ends the run at its questions. */
  suspend(): void {
    this.#questions.suspend();
  }
}
