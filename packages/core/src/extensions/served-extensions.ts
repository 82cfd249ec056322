/** The extensions of one server: what they add to its revisions, and what is found of them while it runs. */
import {
  META_KEYS,
  ProtocolError,
  compileRevision,
  extendRevision,
  type JsonValue,
  type NotificationOperation,
  type Revision,
  type RevisionDelta,
  type ServerCapabilities,
} from '@sigil-mcp/protocol';
import { sigilError } from '../errors/catalogue';
import type { ClientFacts } from '../context/mcp-context';
import type { Extension, ExtensionListener, ExtensionListenField, Stoppable } from './extension';

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

/** What receives a notification of clients, and the extension that it belongs to. */
export interface OwnedListener {
  readonly owner: ServerExtension;
  readonly listener: ExtensionListener<object, object>;
}

/** The extensions of a server that was checked: no two of them add the same name. */
export class ServedExtensions {
  readonly all: readonly ServerExtension[];
  /** By their names in the filter. */
  readonly listenFields: ReadonlyMap<string, OwnedField>;
  readonly #listeners: ReadonlyMap<string, OwnedListener>;
  /** By the revisions that were extended, which have `extensions` in their capabilities also if they had not before. */
  readonly #carried = new WeakMap<Revision, readonly ServerExtension[]>();

  constructor(readonly values: readonly Extension<object>[]) {
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

  /** Whether an extension sends a notification. */
  sends(extension: string, notification: NotificationOperation): boolean {
    const { protocol } = this.values.find(({ name }) => name === extension) ?? {};
    return protocol?.serverNotifications?.includes(notification) === true;
  }

  #carriedBy(revision: Revision): readonly ServerExtension[] {
    const known = this.#carried.get(revision);
    if (known) return known;
    const { rules } = revision;
    const isAdvertised = rules.fields.ServerCapabilities?.includes('extensions') === true;
    return this.all.filter(({ value }) => isAdvertised || value.protocol?.isForEveryRevision);
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

/** Whether a client declared an extension. */
export function declares({ capabilities }: ClientFacts, extension: string): boolean {
  return capabilities.extensions?.[extension] !== undefined;
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
