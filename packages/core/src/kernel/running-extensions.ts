/** The extensions of a server while it runs: what each is given, its stages, its start and its end. */
import type { Implementation, NotificationOperation } from '@sigil-mcp/protocol';
import { isObject, type Clock } from '@sigil-mcp/base';
import type { Container } from '../container/container';
import type { Token } from '../container/provider';
import type { EntryFacts } from '../context/entry-facts';
import { sigilError } from '../errors/catalogue';
import { EntryFaces } from '../registry/entry-faces';
import type { Registry } from '../registry/registry';
import { isVisible } from '../registry/visibility';
import type { CallRecord } from '../calls/call-record';
import type { BackgroundCall, BackgroundWay } from '../extensions/background-call';
import type { ExtensionServices, NotifyOptions, Sealer } from '../extensions/extension';
import type { ServedExtensions, ServerExtension } from '../extensions/served-extensions';
import type { Account } from '../limits/account';
import type { Logger } from '../logging/logger';
import type { OwnedStage } from '../pipeline/run-stages';
import type { RunOutside } from '../values/outside-requests';
import type { ChangeListeners } from './change-listeners';

/** The parts of a server that extensions reach. */
export interface ExtendedServer {
  readonly identity: Pick<Implementation, 'name' | 'version'>;
  readonly registry: Registry;
  readonly account: Account;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly container: Container;
  /** Seals texts with the secrets of the server. */
  readonly sealFor: (purpose: string) => Sealer;
  /** Whether it has stores that several instances share. */
  readonly hasStores: boolean;
  /** Whether it has secrets of its own. */
  readonly hasSecrets: () => boolean;
}

/** The kernel of a server that has started, as extensions need it. */
export interface StartedKernel {
  readonly listeners: ChangeListeners;
  start(record: CallRecord, way: BackgroundWay): BackgroundCall;
  readonly outside: RunOutside;
}

/** Made with the definition; notifications go out once the server has started. */
export class RunningExtensions {
  /** Notifies clients and runs recorded calls; undefined before the start. */
  kernel: StartedKernel | undefined;
  readonly #closing = new AbortController();
  readonly #started: ServerExtension[] = [];

  constructor(
    readonly served: ServedExtensions,
    private readonly server: ExtendedServer,
  ) {
    for (const one of served.all) if (!one.value.start) one.made = this.#servicesOf(one.name);
  }

  #servicesOf(extension: string): ExtensionServices {
    const { identity, registry, account, clock, logger, container, sealFor, hasStores, hasSecrets } = this.server;
    return {
      server: identity,
      entries: new EntryFaces(registry),
      account,
      clock,
      logger,
      allows(access, { kind, key }) {
        const entry = registry.find(kind, key);
        return entry !== undefined && isVisible(entry, access);
      },
      closing: this.#closing.signal,
      start: (record, way) => this.#startCall(record, way),
      outside: (work) => (this.kernel ? this.kernel.outside(work) : work()),
      hasStores,
      get hasSecrets() {
        return hasSecrets();
      },
      seal: (purpose) => sealFor(`${extension} ${purpose}`),
      // The value of a token has the token's type: its provider is responsible for that.
      get: async <T>(token: Token<T>) => container.get(token) as T,
      notify: (notification, params, options) => this.#notify(extension, { notification, params }, options),
    };
  }

  /** What extensions run around the calls of an entry; the first extension is the outermost. */
  stagesOf(entry: EntryFacts): readonly OwnedStage[] {
    return this.served.all.flatMap((owner) => {
      const stage = owner.value.stage?.(entry);
      return stage ? [{ owner, stage }] : [];
    });
  }

  /** Starts them, in their order. */
  async start(): Promise<void> {
    for (const one of this.served.all) {
      if (one.value.start) {
        const services = this.#servicesOf(one.name);
        // In JavaScript it may return nothing.
        const made: unknown = await one.value.start(services);
        one.made = isObject(made) ? made : services;
      }
      this.#started.push(one);
    }
  }

  /** The server begins to close. */
  beginToClose(): void {
    this.#closing.abort();
  }

  /** What stops them, the last one that was started first. */
  stops(): (() => void | Promise<void>)[] {
    const started = this.#started.splice(0).reverse();
    return started.map(
      ({ made }) =>
        () =>
          made?.stop?.(),
    );
  }

  #startCall(record: CallRecord, way: BackgroundWay): BackgroundCall {
    if (!this.kernel) throw sigilError('SIGIL_INTERNAL', { what: 'a recorded call was started before the server' });
    return this.kernel.start(record, way);
  }

  #notify(
    extension: string,
    { notification, params }: { readonly notification: NotificationOperation; readonly params: object },
    { principal, subject }: NotifyOptions = {},
  ): void {
    const { method } = notification;
    if (!this.served.sends(extension, notification))
      throw sigilError('SIGIL_EXTENSION_NOTIFICATION', { extension, method });
    this.kernel?.listeners.announceOf({
      method: 'extension',
      extension,
      notification: method,
      params,
      principal,
      subject,
    });
  }
}
