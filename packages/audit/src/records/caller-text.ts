/** Who asks, as a part of a record. */
import type { Caller, ClientFacts } from '@sigil-mcp/core';
import type { AuditKeys } from '../chain/audit-keys';
import { plainText } from './record-text';

/** Longer texts of clients are cut. */
const LONGEST = 200;
/** Longer lists are a digest. */
const LONGEST_LIST = 1000;

/** What is recorded of callers and clients. */
export interface CallerSettings {
  readonly addresses: boolean;
  readonly tenant: ((caller: Caller) => string | undefined) | undefined;
}

/** Writes callers; those that ask again are written once. */
export class CallerTexts {
  readonly #written = new WeakMap<Caller, string>();
  readonly #clients = new WeakMap<ClientFacts, string>();

  constructor(
    private readonly settings: CallerSettings,
    private readonly keys: Pick<AuditKeys, 'ofArguments'>,
  ) {}

  /** The member `caller`. */
  write(caller: Caller): string {
    const known = this.#written.get(caller);
    if (known !== undefined) return known;
    const text = this.#write(caller);
    this.#written.set(caller, text);
    return text;
  }

  /** The member `client`; empty if nothing is known. */
  writeClient(client: ClientFacts | undefined, address: string | undefined): string {
    const where = this.settings.addresses ? address : undefined;
    const members = `${client ? this.#describe(client) : ''}${text('address', where)}`;
    return members === '' ? '' : `,"client":{${members.slice(1)}}`;
  }

  /** The client of a session is described once. */
  #describe(client: ClientFacts): string {
    const known = this.#clients.get(client);
    if (known !== undefined) return known;
    const described = `${text('name', client.name)}${text('version', client.version)}`;
    this.#clients.set(client, described);
    return described;
  }

  #write(caller: Caller): string {
    const { id, kind, issuer, clientId, hasEveryScope, hasEveryRole, scopes, roles } = caller;
    return [
      `,"caller":{"id":${plainText(id, LONGEST)},"kind":"${kind}"`,
      text('issuer', issuer),
      text('client', clientId),
      text('tenant', this.#tenantOf(caller)),
      this.#list('scopes', hasEveryScope ? 'all' : scopes),
      this.#list('roles', hasEveryRole ? 'all' : roles),
      '}',
    ].join('');
  }

  /** A function of the user must not keep a decision from being recorded. */
  #tenantOf(caller: Caller): string | undefined {
    try {
      return this.settings.tenant?.(caller);
    } catch {
      return undefined;
    }
  }

  #list(name: string, names: readonly string[] | 'all'): string {
    if (names === 'all') return `,"${name}":"all"`;
    if (names.length === 0) return '';
    const written = `[${names.map((one) => plainText(one, LONGEST)).join(',')}]`;
    if (written.length <= LONGEST_LIST) return `,"${name}":${written}`;
    return `,"${name}":{"count":${names.length},"digest":"${this.keys.ofArguments(names)}"}`;
  }
}

function text(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${plainText(value, LONGEST)}`;
}
