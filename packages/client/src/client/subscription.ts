/** Subscriptions to changes, in the way of each revision. */
import { LONGEST_TIMER, SigilError, requireOptions } from '@sigil-mcp/base';
import type { ChangeNotification, SubscriptionFilter } from '@sigil-mcp/protocol';
import { clientError } from '../errors';
import { waitFor } from '../pause';
import { ClientRequest, REQUEST_OPTIONS, type Line, type RequestOptions } from './client-request';

/** A subscription; it lasts until it is closed, the server ends it, or the connection ends. */
export interface Subscription {
  /** The changes that the server reports. */
  readonly filter: SubscriptionFilter;
  /** Resolves when the subscription has ended: with the reason if the server or the network ended it. Subscribe again to go on. */
  readonly ended: Promise<Error | undefined>;
  /** Ends the subscription. */
  close(): Promise<void>;
}

/** The lists that can change, and the member of the filter for each. */
const LISTS = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
} as const;
const METHODS = [...(Object.keys(LISTS) as (keyof typeof LISTS)[]), 'notifications/resources/updated'] as const;

/** A resource that is subscribed to. */
interface ResourceUse {
  /** How many subscriptions have it. */
  count: number;
  /** Resolves when the server has answered, with what went wrong. */
  readonly opened: Promise<Error | undefined>;
}

/** The subscriptions of one client. */
export class Subscriptions {
  /** The resources that are subscribed to, each once. */
  readonly #uses = new Map<string, ResourceUse>();
  /** Ends the subscriptions that are open, when the connection ends. */
  readonly #open = new Set<(reason: Error | undefined) => void>();

  constructor(private readonly line: Line) {
    line.notifications.onEnd((reason) => {
      for (const end of [...this.#open]) end(reason);
    });
  }

  /** Opens a subscription, and waits until the server has confirmed it. */
  async open(
    filter: SubscriptionFilter,
    onChange: (change: ChangeNotification) => void,
    options: RequestOptions,
  ): Promise<Subscription> {
    requireOptions('subscribe', options, REQUEST_OPTIONS);
    const { confirmation } = this.line.conversation.subscription(filter);
    return confirmation === undefined
      ? this.#openByResource(filter, onChange, options)
      : this.#openStream(filter, confirmation, { onChange, options });
  }

  /** Each resource has a request of its own; changes of lists come to every client. */
  async #openByResource(
    filter: SubscriptionFilter,
    onChange: (change: ChangeNotification) => void,
    options: RequestOptions,
  ): Promise<Subscription> {
    const stop = this.#listen(onChange, (change) => covers(filter, change));
    const { resourceSubscriptions = [] } = filter;
    const used: string[] = [];
    const release = async (): Promise<void> => {
      stop();
      await Promise.all(used.splice(0).map((uri) => this.#release(uri)));
    };
    try {
      for (const uri of resourceSubscriptions) {
        await this.#use(uri, options);
        used.push(uri);
      }
    } catch (error) {
      await release().catch(() => undefined);
      throw error;
    }
    const { ended, end } = this.#lasting(stop);
    return {
      filter,
      ended,
      close: async () => {
        await release();
        end(undefined);
      },
    };
  }

  async #use(uri: string, options: RequestOptions): Promise<void> {
    for (;;) {
      const known = this.#uses.get(uri);
      const use = known ?? { count: 0, opened: this.#subscribe(uri, options) };
      this.#uses.set(uri, use);
      use.count += 1;
      const failure = await (known ? this.#joined(use, options) : use.opened);
      if (!failure) return;
      use.count -= 1;
      if (this.#uses.get(uri) === use) this.#uses.delete(uri);
      // What is the same for all is not asked again; the signal and the time limit of another caller are his own.
      if (!known || !isOfCaller(failure)) throw failure;
    }
  }

  /** Waits for the request of another caller, by the signal and the time limit of this one. */
  #joined(use: ResourceUse, { timeout, signal }: RequestOptions): Promise<Error | undefined> {
    const { clock } = this.line;
    const limit = { method: 'resources/subscribe', timeout: timeout ?? this.line.timeout };
    return waitFor(use.opened, { ...limit, clock, signal }).catch((error: unknown) => {
      use.count -= 1;
      throw error;
    });
  }

  async #subscribe(uri: string, options: RequestOptions): Promise<Error | undefined> {
    const [request] = this.line.conversation.subscription({ resourceSubscriptions: [uri] }).opening;
    if (!request) return undefined;
    return new ClientRequest(this.line, request, options).result.then(
      () => undefined,
      (error: Error) => error,
    );
  }

  async #release(uri: string): Promise<void> {
    const use = this.#uses.get(uri);
    if (!use || --use.count > 0) return;
    this.#uses.delete(uri);
    if (this.line.connection.over) return;
    await new ClientRequest(this.line, { method: 'resources/unsubscribe', params: { uri } }, {}).result;
  }

  /** One request stays open as long as the subscription, and names each change with its id. */
  async #openStream(
    filter: SubscriptionFilter,
    confirmation: string,
    { onChange, options }: { onChange: (change: ChangeNotification) => void; options: RequestOptions },
  ): Promise<Subscription> {
    const [request = { method: '', params: {} }] = this.line.conversation.subscription(filter).opening;
    const exchange = new ClientRequest(this.line, request, { ...options, timeout: Infinity });
    const isOwn = (notification: object): boolean =>
      'subscriptionId' in notification && notification.subscriptionId === exchange.sent?.id;
    const stop = this.#listen(onChange, isOwn);
    try {
      const granted = await this.#confirmed(exchange, confirmation, { isOwn, options });
      const { ended, end } = this.#lasting(stop);
      exchange.result.then(
        () => end(clientError('SIGIL_CLIENT_SUBSCRIPTION_ENDED')),
        (reason: Error) => end(reason),
      );
      const close = async (): Promise<void> => {
        end(undefined);
        exchange.cancel(clientError('SIGIL_CLIENT_CANCELLED', { id: exchange.sent?.id ?? '' }));
      };
      return { filter: granted, ended, close };
    } catch (error) {
      stop();
      exchange.cancel(error as Error);
      throw error;
    }
  }

  #confirmed(
    exchange: ClientRequest,
    confirmation: string,
    { isOwn, options }: { isOwn: (notification: object) => boolean; options: RequestOptions },
  ): Promise<SubscriptionFilter> {
    const timeout = options.timeout ?? this.line.timeout;
    return new Promise((resolve, reject) => {
      const late = (): void => reject(clientError('SIGIL_CLIENT_TIMEOUT', { method: confirmation, timeout }));
      const timer = timeout <= LONGEST_TIMER ? this.line.clock.after(timeout, late) : undefined;
      const stop = this.line.notifications.on(confirmation, (notification) => {
        if (!isOwn(notification)) return;
        settled();
        // Its members were checked when it arrived.
        resolve((notification as unknown as { notifications: SubscriptionFilter }).notifications);
      });
      const settled = (): void => {
        timer?.close();
        stop();
      };
      // A refusal is an answer; otherwise the answer comes at the end.
      const ended = (): void => reject(clientError('SIGIL_CLIENT_SUBSCRIPTION_ENDED'));
      exchange.result.then(ended, reject).finally(settled);
    });
  }

  #listen(onChange: (change: ChangeNotification) => void, wants: (change: ChangeNotification) => boolean): () => void {
    const stops = METHODS.map((method) =>
      this.line.notifications.on(method, (change: ChangeNotification) => {
        if (wants(change)) onChange(change);
      }),
    );
    return () => stops.forEach((stop) => stop());
  }

  #lasting(stop: () => void): { ended: Promise<Error | undefined>; end: (reason: Error | undefined) => void } {
    let resolve: (reason: Error | undefined) => void = () => undefined;
    const ended = new Promise<Error | undefined>((done) => (resolve = done));
    const end = (reason: Error | undefined): void => {
      stop();
      this.#open.delete(end);
      resolve(reason);
    };
    this.#open.add(end);
    return { ended, end };
  }
}

/** Whether a request has ended because its caller did not wait any longer. */
function isOfCaller(error: unknown): boolean {
  return (
    error instanceof SigilError && (error.code === 'SIGIL_CLIENT_CANCELLED' || error.code === 'SIGIL_CLIENT_TIMEOUT')
  );
}

function covers(filter: SubscriptionFilter, change: ChangeNotification): boolean {
  // Those of extensions have listeners of their own.
  if (change.method === 'extension') return false;
  if (change.method !== 'notifications/resources/updated') return filter[LISTS[change.method]] === true;
  // The change of a part of a resource names the part.
  return filter.resourceSubscriptions?.some((uri) => change.uri.startsWith(uri)) === true;
}
