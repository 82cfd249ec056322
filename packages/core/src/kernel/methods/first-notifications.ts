/** What extensions send to a subscription when it begins, before the changes of which nothing was known then. */
import type { ChangeNotification, ExtensionNotification, JsonObject } from '@sigil-mcp/protocol';
import { unawaited, type MaybePromise } from '@sigil-mcp/base';
import type { RunningCall } from '../../calls/running-call';
import { RunningExtensionCall } from '../../extensions/running-extension-call';
import { ChangeFeed, subjectOf } from '../change-feed';
import type { MethodServices } from './method-services';

type Services = Pick<MethodServices, 'extensions' | 'servicesOf' | 'maskError'>;

/** The notifications of one subscription. */
export class FirstNotifications {
  readonly #feed: ChangeFeed;
  /** What was told already: a first notification about it would be older. */
  readonly #told = new Set<string>();

  /**
   * @param send passes a change to the transport; returns a promise while its buffer is full
   * @param tellsOf the notification of a change, as the client receives it; undefined if the subscription does not cover it
   */
  constructor(
    send: (change: ChangeNotification) => MaybePromise<void>,
    private readonly tellsOf: (change: ChangeNotification) => ChangeNotification | undefined,
  ) {
    this.#feed = new ChangeFeed(send);
  }

  /** Sends a change, if the subscription covers it. */
  hear(change: ChangeNotification): void {
    const told = this.tellsOf(change);
    if (!told) return;
    if (told.method === 'extension') this.#told.add(subjectOf(told));
    this.#feed.tell(told);
  }

  /** Sends the first notifications. Call it when changes are heard, so that none is missed in between. */
  send(call: RunningCall<'subscriptions/listen'>, fields: JsonObject, services: Services): void {
    const sent = firstOf(call, fields, services).then((first) => {
      for (const notification of first) if (!this.#told.has(subjectOf(notification))) this.#feed.tell(notification);
    });
    unawaited(sent, (error) => void services.maskError(error, call));
  }
}

async function firstOf(
  call: RunningCall<'subscriptions/listen'>,
  fields: JsonObject,
  { extensions, servicesOf }: Services,
): Promise<readonly ExtensionNotification[]> {
  const found: ExtensionNotification[] = [];
  for (const [name, { extension, field }] of extensions.listenFields) {
    const wanted = fields[name];
    if (wanted === undefined || !field.first) continue;
    const first = await field.first(wanted, new RunningExtensionCall(call, extension), servicesOf(extension));
    for (const { method: notification, ...rest } of first)
      found.push({ method: 'extension', extension, notification, ...rest });
  }
  return found;
}
