/**
 * The port of protocol extensions: methods, capabilities, decorators, notifications and results that a server has because
 * `createServer({ extensions })` was given them. Nothing here is known to the protocol itself.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
import type {
  Implementation,
  JsonObject,
  JsonValue,
  ListenField,
  Meta,
  MetaKey,
  NotificationOperation,
  Operation,
  ResultType,
  TypedResult,
} from '@sigil-mcp/protocol';
import type { Clock, MaybePromise, ReportProblem } from '@sigil-mcp/base';
import type { JsonSchema } from '@sigil-mcp/schema';
import type { Constructor, Token } from '../container/provider';
import type { Access } from '../context/call';
import type { EntryFacts, EntryKind, FactValue } from '../context/entry-facts';
import type { ClientFacts } from '../context/mcp-context';
import type { HeldAccount } from '../limits/held-account';
import type { Logger } from '../logging/logger';
import type { CallRecord } from '../calls/call-record';
import type { EntryOption } from './entry-option';
import type { BackgroundCall, BackgroundWay, ExtensionCall } from './extension-call';

/** The entries of a server, as extensions see them. */
export interface EntryView {
  /** The enabled entries of a kind, in the order of their list. */
  entries<K extends EntryKind>(kind: K): Iterable<EntryFacts<K>>;
  /** All entries of a kind, disabled ones included: they may come back at any time. */
  all<K extends EntryKind>(kind: K): Iterable<EntryFacts<K>>;
  /** The enabled entry of a kind and key. */
  find<K extends EntryKind>(kind: K, key: string): EntryFacts<K> | undefined;
}

/** Who receives a notification. */
export interface NotifyOptions {
  /** Only clients of this principal (`caller.principal`) receive it; all clients that declared the extension if left out. */
  readonly principal?: string | undefined;
  /**
   * What it is about: a client that does not keep up receives only the last notification of the same method and subject. Of the same method,
   * if left out.
   */
  readonly subject?: string;
}

/** What a server gives to its extensions while it runs. */
export interface ExtensionServices {
  /** The name and the version of the server; what an extension keeps outside of the process belongs to the server of this name. */
  readonly server: Pick<Implementation, 'name' | 'version'>;
  readonly entries: EntryView;
  /** What clients make the server hold in memory. All that an extension keeps for them is charged to it when it grows. */
  readonly account: HeldAccount;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether lists show an entry to a caller: its guards and scopes. A call's `context` is an access, and so is what guards receive. */
  allows(access: Access, entry: EntryFacts): MaybePromise<boolean>;
  /** Fires when the server begins to close: detached and recorded calls that are running have `shutdownDeadline` to end. */
  readonly closing: AbortSignal;
  /**
   * Runs a recorded call without its request: with its guards, validation, interceptors and limits, for its caller. Stages of extensions run,
   * too, and see it as `isBackground`. It is counted as detached work: when the server closes, it is waited for, and then cancelled. It runs
   * outside of the request that starts it, as with `outside`.
   */
  start(record: CallRecord, way: BackgroundWay): BackgroundCall;
  /**
   * Runs a function outside of any request: in the async context (`AsyncLocalStorage`) in which the server has started. Use it for what an
   * extension does for several callers, such as a queue, a timer or a connection that a request begins: nothing of the request is seen there.
   * @returns what the function returns
   * @example services.outside(() => services.clock.every(1000, () => this.deliver()));
   */
  outside<T>(work: () => T): T;
  /** Whether the server has stores that several instances share (`createServer({ stores })`). */
  readonly hasStores: boolean;
  /** Whether the server has secrets of its own, so that what it seals can be opened after a restart, and by other instances. */
  readonly hasSecrets: boolean;
  /**
   * Seals texts of the extension with the secrets of the server (`createServer({ requestState })`).
   * @param purpose keeps what was sealed for one purpose from being opened for another
   */
  seal(purpose: string): Sealer;
  /** The value of a provider of the server. */
  get<T>(token: Token<T>): Promise<T>;
  /**
   * Sends a notification to clients that declared the extension, on all instances of the server: to sessions, and to subscriptions whose filter
   * covers it (`listenFields`).
   */
  notify<P extends object>(notification: NotificationOperation<string, P>, params: P, options?: NotifyOptions): void;
}

/** Seals texts: encrypted, and safe from changes. */
export interface Sealer {
  /** The text as base64url. */
  seal(text: string): string;
  /** The text that was sealed; undefined for any other input. */
  open(sealed: string): string | undefined;
}

/** A method of an extension, made by `extensionMethod`. `Started` is what the start of its extension has made. */
export interface ExtensionMethod<
  P extends object = object,
  R extends object = object,
  Started extends object = ExtensionServices,
> {
  readonly operation: Operation<string, P, R>;
  /** Whether it is answered also while the server has too much to do, because it costs next to nothing; false if left out. */
  readonly isUnlimited?: boolean;
  /** Whether clients that did not declare the extension may send it, too; false if left out. */
  readonly isForEveryone?: boolean;
  /** Whether callers without a token may send it to a server that requires tokens; false if left out. */
  readonly isPublic?: boolean;
  /** Scopes that a caller needs; none if left out. */
  readonly scopes?: readonly string[];
  /**
   * Finds the entry that a request is about: its guards, scopes and `@Public` then apply as to a call of it. A request that is about an
   * entry, and finds none, is the handler's to refuse. None if left out.
   */
  entry?(params: P, entries: EntryView): EntryFacts | undefined;
  /** Answers a request. Errors are treated as those of the protocol's methods: `ProtocolError` and `Denial` are sent, others are masked. */
  handle(call: ExtensionCall<P>, started: Started): MaybePromise<R | TypedResult>;
}

/** A notification of clients that an extension receives, made by `extensionNotification`. */
export interface ExtensionListener<P extends object = object, Started extends object = ExtensionServices> {
  readonly notification: NotificationOperation<string, P>;
  /** Called for clients with a session that declared the extension; malformed notifications are ignored. What it throws is logged. */
  handle(params: P, client: ClientFacts, started: Started): MaybePromise<void>;
}

/** A notification that a subscription receives when it begins. */
export interface FirstNotification {
  /** Its name. */
  readonly method: string;
  readonly params: object;
  /** What it is about, as in `NotifyOptions`. */
  readonly subject?: string;
}

/** A field of `subscriptions/listen`. `T` is what a client wants under it. */
export interface ExtensionListenField<
  T extends JsonValue = JsonValue,
  Started extends object = ExtensionServices,
> extends ListenField<T> {
  /**
   * The part of it that the caller may have; undefined for nothing. The acknowledgement repeats it. Everything if left out.
   * @throws Denial for a client that is to learn why not
   */
  honour?(wanted: T, call: ExtensionCall, started: Started): MaybePromise<T | undefined>;
  /**
   * Notifications that a subscription with this field receives when it begins, so that nothing is missed that happened before; none if left
   * out.
   */
  first?(wanted: T, call: ExtensionCall, started: Started): MaybePromise<readonly FirstNotification[]>;
  /** Whether a notification of the extension is sent to a subscription with this field. */
  covers(wanted: T, notification: { readonly method: string; readonly params: object }): boolean;
}

/** What runs around every call of an entry. */
export interface EntryStage<Started extends object = ExtensionServices> {
  /** Whether it runs for clients that did not declare the extension, too; false if left out. */
  readonly isForEveryone?: boolean;
  /**
   * Runs after guards and scopes, outside the time limit of a tool and the reading of its arguments.
   * @param next runs the call, and resolves to its neutral result; the call goes on with other arguments if they are given
   * @returns the result, or one of a type of the extension
   */
  run(call: ExtensionCall, next: RunStage, started: Started): MaybePromise<object>;
}

/** Runs the rest of a call. @param changes what the rest of the call sees instead of what the client sent; nothing if left out */
export type RunStage = (changes?: { readonly arguments: unknown }) => MaybePromise<object>;

/** What `tool`, `resource` and `prompt` return, as extensions read it. */
export interface FeatureData {
  readonly kind: 'tool' | 'resource' | 'prompt';
  readonly name: string;
  /** Values of facts; none if left out. */
  readonly facts?: readonly FactValue[];
}

/** What a server is defined with, modules included. */
export interface ExtendedDefinition {
  readonly classes: readonly Constructor[];
  /** The results of `tool`, `resource` and `prompt`. */
  readonly data: readonly FeatureData[];
  readonly report: ReportProblem;
}

/** What lists show of an entry besides what its author has written. What is left out stays as it is. */
export interface EntryListing {
  /** In `_meta`, in addition to its own, which counts first. */
  readonly meta?: Meta | undefined;
  /** Of a tool: the schema of its arguments. The server goes on to check what the author declared: a stage reads the rest. */
  readonly input?: JsonSchema;
  /** Of a tool: the schema of its structured result. The server goes on to check what the author declared: a stage writes the rest. */
  readonly output?: JsonSchema;
  /**
   * Whether lists leave the entry out, for all callers, who can still use it by its name or URI.
   * @param shown the entry, with what all extensions show of it
   */
  isHidden?(shown: EntryFacts): boolean;
}

/** What clients see of an extension: its part of the protocol. `Started` is what the start of the extension has made. */
export interface ExtensionProtocol<Started extends object = ExtensionServices> {
  /**
   * Whether it works in revisions whose capabilities have no `extensions`, too: it is advertised, and declared, in the handshake. False if left
   * out.
   */
  readonly isForEveryRevision?: boolean;
  /** Its settings in `capabilities.extensions`, from the entries at start; `{}` if left out. */
  capabilities?(entries: EntryView): JsonObject;
  /** Requests of clients, each with its handler; none if left out. */
  readonly methods?: readonly ExtensionMethod<object, object, Started>[];
  /** Notifications of clients, each with its handler; none if left out. */
  readonly clientNotifications?: readonly ExtensionListener<object, Started>[];
  /** Notifications that the server sends with `notify`; none if left out. */
  readonly serverNotifications?: readonly NotificationOperation[];
  /** Keys in `_meta` of requests, which `call.metaValue` reads; none if left out. */
  readonly metaKeys?: readonly MetaKey[];
  /** Results in place of complete ones, in revisions whose results have a `resultType`; none if left out. */
  readonly resultTypes?: readonly ResultType[];
  /** Fields in the filter of `subscriptions/listen`; none if left out. */
  readonly listenFields?: readonly ExtensionListenField<JsonValue, Started>[];
}

/** What ends with a server. */
export interface Stoppable {
  /** Called when the server closes, before its providers stop; also if the server could not start. Nothing is to be done if left out. */
  stop?(): MaybePromise<void>;
}

/**
 * An extension of the protocol, as one value. Give it to `createServer({ extensions: [...] })`; a client sees its methods and results only
 * if it declares the extension in its capabilities. `Started` is what its start makes for one server, which its handlers and stages receive:
 * the services of the server, if it makes nothing. `Extension<object>` is any extension.
 * @example
 * const WORDS: Extension = { name: 'com.example/words', protocol: { methods: [extensionMethod(WORDS_COUNT, ({ params }) => ({ count: params.text.length }))] } };
 * const server = createServer({ name: 'words', version: '1.0.0', extensions: [WORDS] });
 */
export interface Extension<Started extends object = ExtensionServices> {
  /** Its identifier, with a prefix: `com.example/words`. */
  readonly name: string;
  /** What clients see of it; its name alone, if left out. */
  readonly protocol?: ExtensionProtocol<Started>;
  /** Options of decorators and data of entries that exist because of the extension, each made by `entryOption`; none if left out. */
  readonly options?: readonly EntryOption[];
  /** Entries that the extension adds to a server: what `tool`, `resource` and `prompt` return, and feature classes. None if left out. */
  features?(definition: ExtendedDefinition): readonly (Constructor | FeatureData)[];
  /** What lists show of an entry. Asked each time an entry is defined or changed; nothing of its own if left out. */
  list?(entry: EntryFacts, entries: EntryView): EntryListing | undefined;
  /** Reports what is wrong with an entry, at start, with all other problems: with what the facts of the extension say about it. */
  check?(entry: EntryFacts, report: ReportProblem): void;
  /** Reports what is wrong with the entries together, once at start. Entries with problems of their own are not among them. */
  checkAll?(entries: EntryView, report: ReportProblem): void;
  /** What runs around the calls of an entry; asked once for each entry. An entry for which it returns undefined costs nothing. */
  stage?(entry: EntryFacts): EntryStage<Started> | undefined;
  /**
   * Called when a server starts, after its providers: makes what handlers and stages need. One value may be given to several servers, and is
   * started by each. The services are what they receive, if it is left out.
   */
  start?(services: ExtensionServices): MaybePromise<Started & Stoppable>;
}

/**
 * Ties a handler to an operation, so that the types of parameters and results follow from it.
 * @example extensionMethod(WORDS_COUNT, ({ params }) => ({ count: params.text.split(' ').length }))
 */
export function extensionMethod<P extends object, R extends object, Started extends object = ExtensionServices>(
  operation: Operation<string, P, R>,
  handle: ExtensionMethod<P, R, Started>['handle'],
  options: Omit<ExtensionMethod<P, R>, 'operation' | 'handle'> = {},
): ExtensionMethod<P, R, Started> {
  return { ...options, operation, handle };
}

/** Ties a handler to a notification of clients. @example extensionNotification(WORDS_SEEN, ({ word }) => seen.add(word)) */
export function extensionNotification<P extends object, Started extends object = ExtensionServices>(
  notification: NotificationOperation<string, P>,
  handle: ExtensionListener<P, Started>['handle'],
): ExtensionListener<P, Started> {
  return { notification, handle };
}
