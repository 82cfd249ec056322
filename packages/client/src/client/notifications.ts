/** The notifications of a server: read, checked and passed to listeners. */
import { isObject } from '@sigil-mcp/base';
import {
  LOG_LEVELS,
  META_KEYS,
  compileOperation,
  type InboundNotification,
  type JsonObject,
  type JsonValue,
  type NotificationOperation,
  type ProgressToken,
  type RevisionRules,
  type ServerNotification,
} from '@sigil-mcp/protocol';
import { clientError } from '../errors';
import { objectOf } from '../json';

/** A notification of a method; one that the protocol does not have holds its parameters as they are. */
export type NotificationOf<M extends string> = M extends ServerNotification['method']
  ? Extract<ServerNotification, { method: M }>
  : { readonly method: M } & JsonObject;

/** How far a request has come. */
export type Progress = Pick<NotificationOf<'notifications/progress'>, 'progress' | 'total' | 'message'>;

/** Receives notifications of one method. */
type Listener = (notification: ServerNotification) => void;

/** The members that a notification must have, by its method. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, (value: JsonValue | undefined) => boolean>>>> = {
  'notifications/progress': {
    progressToken: (value) => typeof value === 'string' || typeof value === 'number',
    progress: (value) => typeof value === 'number',
  },
  'notifications/message': {
    level: (value) => LOG_LEVELS.some((level) => level === value),
    data: (value) => value !== undefined,
  },
  'notifications/resources/updated': { uri: (value) => typeof value === 'string' },
  'notifications/elicitation/complete': { elicitationId: (value) => typeof value === 'string' },
  'notifications/subscriptions/acknowledged': { notifications: isObject },
};

/** Who listens for the notifications of one server. */
export class Notifications {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Of extensions, by their methods. */
  readonly #readers = new Map<string, Set<(params: JsonObject) => void>>();
  readonly #ends: ((reason: Error | undefined) => void)[] = [];
  readonly #progress = new Map<ProgressToken, (progress: Progress) => void>();

  /** @param onFault receives notifications that are malformed, and what a listener throws */
  constructor(private readonly onFault: (error: Error) => void) {}

  /** Adds a listener. @returns a function that removes it */
  on<M extends string>(method: M, listener: (notification: NotificationOf<M>) => void): () => void {
    const listeners = this.#listeners.get(method) ?? new Set();
    this.#listeners.set(method, listeners);
    // Listeners of a method receive only notifications of this method.
    const added = listener as Listener;
    listeners.add(added);
    return () => void listeners.delete(added);
  }

  /** Adds a listener for a notification of an extension, whose parameters are read. @returns a function that removes it */
  onOperation<P extends object>(
    notification: NotificationOperation<string, P>,
    rules: RevisionRules,
    listener: (params: P) => void,
  ): () => void {
    const { method } = notification;
    const codec = compileOperation(notification, rules);
    const readers = this.#readers.get(method) ?? new Set();
    this.#readers.set(method, readers);
    const reader = (params: JsonObject): void => {
      let read: P;
      try {
        read = codec.readParams(params);
      } catch (cause) {
        return this.onFault(clientError('SIGIL_CLIENT_NOTIFICATION', { method }, { cause }));
      }
      listener(read);
    };
    readers.add(reader);
    return () => void readers.delete(reader);
  }

  /** Listens for the progress of one request. @returns a function that stops it */
  onProgress(token: ProgressToken, listener: (progress: Progress) => void): () => void {
    this.#progress.set(token, listener);
    return () => void this.#progress.delete(token);
  }

  /** Calls a listener when the connection has ended. */
  onEnd(listener: (reason: Error | undefined) => void): void {
    this.#ends.push(listener);
  }

  /** Says that the connection has ended. */
  end(reason: Error | undefined): void {
    for (const listener of this.#ends.splice(0)) this.#call(listener, reason);
  }

  /** Takes a notification of the server. */
  receive({ method, params = {} }: InboundNotification): void {
    const members = Object.hasOwn(MEMBERS, method) ? Object.entries(MEMBERS[method] ?? {}) : [];
    if (!members.every(([name, isValid]) => isValid(params[name])))
      return this.onFault(clientError('SIGIL_CLIENT_NOTIFICATION', { method }));
    const { _meta, ...rest } = params;
    const subscriptionId = objectOf(_meta)[META_KEYS.subscriptionId];
    // Its members were checked.
    const read = { ...rest, ...(subscriptionId !== undefined && { subscriptionId }), method } as ServerNotification;
    if (read.method === 'notifications/progress')
      this.#call(this.#progress.get(read.progressToken), { ...rest, progress: read.progress });
    for (const listener of [...(this.#listeners.get(method) ?? [])]) this.#call(listener, read);
    for (const reader of [...(this.#readers.get(method) ?? [])]) this.#call(reader, params);
  }

  #call<T>(listener: ((value: T) => void) | undefined, value: T): void {
    try {
      listener?.(value);
    } catch (error) {
      // One listener must not keep the others, or an answer, from their message.
      this.onFault(error as Error);
    }
  }
}
