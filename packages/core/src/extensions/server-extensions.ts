/** The extensions of one server: what they add to its revisions, what each is given while it runs, its start and its end. */
import {
  META_KEYS,
  ProtocolError,
  compileRevision,
  extendRevision,
  type ExtensionNotification,
  type Implementation,
  type JsonValue,
  type NotificationOperation,
  type Revision,
  type RevisionDelta,
  type ServerCapabilities,
} from '@sigil-mcp/protocol';
import { isObject, type Clock } from '@sigil-mcp/base';
import type { Container } from '../container/container';
import type { Token } from '../container/provider';
import type { EntryFacts } from '../context/entry-facts';
import { sigilError } from '../errors/catalogue';
import { EntryFaces, type Registry } from '../registry/registry';
import { isVisible } from '../registry/entry';
import type { CallRecord } from '../calls/call-record';
import type { Account } from '../limits/account';
import type { ResolvedLimits } from '../limits/server-limits';
import type { Logger } from '../logging/logger';
import type { Stores } from '../stores/stores';
import type { RunOutside } from '../values/outside-requests';
import type {
  EntryStage,
  Extension,
  ExtensionListener,
  ExtensionListenField,
  ExtensionServices,
  NotifyOptions,
  Sealer,
  Stoppable,
} from './extension';
import type { BackgroundCall, BackgroundWay } from './extension-call';

/** An extension of one server: what belongs to it holds it. */
export class ServerExtension {
  /** What its start has made for the server, or the services of the server; undefined before its start. */
  made: (object & Stoppable) | undefined;

  constructor(readonly value: Extension<object>) {}

  get name(): string {
    return this.value.name;
  }

  /** What its handlers and stages receive. @throws SigilError for a recorded call that another extension runs too early */
  get started(): object {
    if (this.made) return this.made;
    throw sigilError('SIGIL_INTERNAL', { what: `${this.name} was asked before it was started` });
  }
}

/** A field of `subscriptions/listen`, and the extension that it belongs to. */
export interface OwnedField {
  readonly owner: ServerExtension;
  readonly field: ExtensionListenField<JsonValue, object>;
}

/** A stage, and the extension that it belongs to. */
export interface OwnedStage {
  readonly owner: ServerExtension;
  readonly stage: EntryStage<object>;
}

/** What receives a notification of clients, and the extension that it belongs to. */
export interface OwnedListener {
  readonly owner: ServerExtension;
  readonly listener: ExtensionListener<object, object>;
}

/** What there is of one server from its definition on: made once, by `createServer`, and passed as it is. */
export interface DefinitionContext {
  readonly server: Implementation;
  readonly container: Container;
  readonly registry: Registry;
  readonly limits: ResolvedLimits;
  readonly account: Account;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What several instances share; undefined if this process is the only one. */
  readonly stores: Stores | undefined;
  /** Seals texts with the secrets of the server. */
  readonly sealFor: (purpose: string) => Sealer;
  /** Whether it has secrets of its own, so that what it seals for clients can be opened after a restart. */
  readonly hasSecrets: () => boolean;
}

/** The kernel of a server that has started, as extensions need it. */
export interface StartedKernel {
  readonly context: { readonly listeners: { announceOf(change: ExtensionNotification): void } };
  start(record: CallRecord, way: BackgroundWay): BackgroundCall;
  readonly outside: RunOutside;
}

/** The extensions of a server, which are checked: no two of them add the same name. Notifications go out once the server has started. */
export class ServerExtensions {
  readonly all: readonly ServerExtension[];
  /** By their names in the filter. */
  readonly listenFields: ReadonlyMap<string, OwnedField>;
  readonly #listeners: ReadonlyMap<string, OwnedListener>;
  /** By the revisions that were extended, which have `extensions` in their capabilities also if they had not before. */
  readonly #carried = new WeakMap<Revision, readonly ServerExtension[]>();
  /** Notifies clients and runs recorded calls; undefined before the start. */
  kernel: StartedKernel | undefined;
  readonly #closing = new AbortController();
  readonly #started: ServerExtension[] = [];

  constructor(
    readonly values: readonly Extension<object>[],
    private readonly context: DefinitionContext,
  ) {
    this.all = values.map((value) => new ServerExtension(value));
    this.listenFields = new Map(
      this.all.flatMap((owner) =>
        (owner.value.protocol?.listenFields ?? []).map((field) => [field.name, { owner, field }] as const),
      ),
    );
    this.#listeners = new Map(
      this.all.flatMap((owner) =>
        (owner.value.protocol?.clientNotifications ?? []).map(
          (listener) => [listener.notification.method, { owner, listener }] as const,
        ),
      ),
    );
    for (const one of this.all) if (!one.value.start) one.made = this.#servicesOf(one);
  }

  /** A revision with what the extensions add to it; the same revision if they add nothing. */
  extend(revision: Revision): Revision {
    const carried = this.#carriedBy(revision);
    const adding = carried.map(({ value }) => value).filter(addsSomething);
    if (adding.length === 0) return revision;
    const extended = compileRevision(
      adding.reduce((rules, each) => extendRevision(rules, deltaOf(each, rules.fields)), revision.rules),
    );
    this.#carried.set(extended, carried);
    return extended;
  }

  /** The capabilities that are advertised in a revision: without extensions that it does not carry. */
  advertisedIn(revision: Revision, capabilities: ServerCapabilities): ServerCapabilities {
    const { extensions, ...others } = capabilities;
    const carried = this.#carriedBy(revision).map(({ name }) => [name, extensions?.[name] ?? {}] as const);
    return carried.length === 0 ? others : { ...others, extensions: Object.fromEntries(carried) };
  }

  /** What receives a notification of clients; undefined if no extension has it. */
  listener(method: string): OwnedListener | undefined {
    return this.#listeners.get(method);
  }

  #carriedBy(revision: Revision): readonly ServerExtension[] {
    const known = this.#carried.get(revision);
    if (known) return known;
    const { rules } = revision;
    const isAdvertised = rules.fields.ServerCapabilities?.includes('extensions') === true;
    return this.all.filter(({ value }) => isAdvertised || value.protocol?.isForEveryRevision);
  }

  #servicesOf(owner: ServerExtension): ExtensionServices {
    const { server, registry, account, clock, logger, container, stores, sealFor, hasSecrets } = this.context;
    return {
      server: { name: server.name, version: server.version },
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
      hasStores: stores !== undefined,
      get hasSecrets() {
        return hasSecrets();
      },
      seal: (purpose) => sealFor(`${owner.name} ${purpose}`),
      // The value of a token has the token's type: its provider is responsible for that.
      get: async <T>(token: Token<T>) => container.get(token) as T,
      notify: (notification, params, options) => this.#notify(owner, { notification, params }, options),
    };
  }

  /** What extensions run around the calls of an entry; the first extension is the outermost. */
  stagesOf(entry: EntryFacts): readonly OwnedStage[] {
    return this.all.flatMap((owner) => {
      const stage = owner.value.stage?.(entry);
      return stage ? [{ owner, stage }] : [];
    });
  }

  /** Starts them, in their order. */
  async start(): Promise<void> {
    for (const one of this.all) {
      if (one.value.start) {
        const services = this.#servicesOf(one);
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
    owner: ServerExtension,
    { notification, params }: { readonly notification: NotificationOperation; readonly params: object },
    { principal, subject }: NotifyOptions = {},
  ): void {
    const { name: extension } = owner;
    const { method } = notification;
    if (!owner.value.protocol?.serverNotifications?.includes(notification))
      throw sigilError('SIGIL_EXTENSION_NOTIFICATION', { extension, method });
    this.kernel?.context.listeners.announceOf({
      method: 'extension',
      extension,
      notification: method,
      params,
      principal,
      subject,
    });
  }
}

/** Whether an extension changes revisions: one that is only advertised does not. */
function addsSomething({ protocol, ...members }: Extension<object>): boolean {
  const adding = Object.entries({ ...members, ...protocol }).filter(([, value]) => value !== undefined);
  return adding.some(([member]) => member !== 'name' && member !== 'capabilities');
}

type Fields = Revision['rules']['fields'];

function deltaOf(extension: Extension<object>, fields: Fields): RevisionDelta {
  const { methods = [], clientNotifications = [], serverNotifications = [] } = extension.protocol ?? {};
  const { metaKeys = [], resultTypes = [], listenFields = [] } = extension.protocol ?? {};
  return {
    adds: {
      requests: methods.map(({ operation }) => operation),
      clientNotifications: clientNotifications.map(({ notification }) => notification),
      serverNotifications,
      metaKeys,
      resultTypes,
      listenFields,
      fields: fieldsOf(extension, fields),
    },
  };
}

/** What an extension says about entries travels in `_meta`, also in revisions whose lists do not have it. */
const WITH_META = ['Tool', 'Resource', 'ResourceTemplate', 'ResourceContents', 'Prompt'] as const;

/** The fields that a revision lacks for an extension. */
function fieldsOf(extension: Extension<object>, fields: Fields): Fields {
  const lacks = (type: keyof Fields, field: string): boolean =>
    !(fields[type] as readonly string[] | undefined)?.includes(field);
  const meta = extension.list ? WITH_META.filter((type) => lacks(type, '_meta')) : [];
  return {
    ...Object.fromEntries(meta.map((type) => [type, ['_meta']])),
    ...(lacks('ServerCapabilities', 'extensions') && { ServerCapabilities: ['extensions'] }),
  };
}

/**
 * The refusal of a client that did not declare an extension, as its revision words it: the method does not exist, or a capability is
 * missing.
 */
export function undeclared(extension: string, method: string, { undeclaredExtension }: Revision): ProtocolError {
  if (undeclaredExtension === 'method-not-found')
    return new ProtocolError('method-not-found', `Method not found: ${method}`);
  return new ProtocolError(
    undeclaredExtension,
    `${method} needs the extension ${extension}, which the client did not declare in ${META_KEYS.clientCapabilities}.`,
    { requiredCapabilities: { extensions: { [extension]: {} } } },
  );
}
