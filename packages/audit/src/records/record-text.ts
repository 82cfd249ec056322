/** The texts of records: their beginning, and the ids that no two records share. */
import { randomBytes } from 'node:crypto';
import type { Caller, ClientFacts, EntryFacts } from '@sigil-mcp/core';
import type { Clock } from '@sigil-mcp/core/adapter';
import type { AuditKeys } from '../chain/audit-keys';
import type { AuditRecord } from './audit-record';

// Texts of clients in a record: bounded, on one line, and without what changes how a terminal shows them.

/** C1 controls, marks of direction, separators of lines, and the byte order mark; JSON escapes the other controls. */
const INVISIBLE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** @returns the text as JSON, with quotes */
export function plainText(text: string, longest: number): string {
  const written = JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
  return written.replace(INVISIBLE, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const RUN_BYTES = 9;
const SECOND = 1000;

/** Begins records of one run of a program. */
export class RecordTexts {
  readonly #run = randomBytes(RUN_BYTES).toString('base64url');
  #count = 0;
  #second = 0;
  #secondText = '';

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** The id of a further record. */
  nextId(): string {
    this.#count += 1;
    return `${this.#run}.${this.#count}`;
  }

  /** A record without its closing brace. @param members each with its comma before it */
  begin(kind: AuditRecord['kind'], members: string, time = this.clock.now(), id = this.nextId()): string {
    return `{"version":1,"kind":"${kind}","id":"${id}","time":"${this.#timeText(time)}"${members}`;
  }

  get now(): number {
    return this.clock.now();
  }

  /** Most records are written in the second of the one before. */
  #timeText(time: number): string {
    const second = Math.floor(time / SECOND);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = timeText(second * SECOND).slice(0, -'000Z'.length);
    }
    return `${this.#secondText}${String(Math.floor(time) - second * SECOND).padStart(3, '0')}Z`;
  }
}

/** A moment in UTC. */
export function timeText(time: number): string {
  return new Date(time).toISOString();
}

// What a request is about, as a part of a record.

const LONGEST = 500;

/** Writes entries; each is written once. */
export class EntryTexts {
  readonly #written = new WeakMap<EntryFacts, string>();

  /** The member `entry`. @param alias the old name by which it was called, one that its author wrote down */
  write(entry: EntryFacts, alias: string | undefined): string {
    if (alias !== undefined) return `,"entry":{${membersOf(entry)},"alias":${plainText(alias, LONGEST)}}`;
    const known = this.#written.get(entry);
    if (known !== undefined) return known;
    const text = `,"entry":{${membersOf(entry)}}`;
    this.#written.set(entry, text);
    return text;
  }
}

function membersOf({ kind, key }: EntryFacts): string {
  return `"kind":"${kind}","key":${plainText(key, LONGEST)}`;
}

// Who asks, as a part of a record.

/** Longer texts of clients are cut. */
const LONGEST_CLAIM = 200;
/** Longer lists are a digest. */
const LONGEST_LIST = 1000;

/** What is recorded of callers and clients. */
interface CallerSettings {
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
      `,"caller":{"id":${plainText(id, LONGEST_CLAIM)},"kind":"${kind}"`,
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
    const written = `[${names.map((one) => plainText(one, LONGEST_CLAIM)).join(',')}]`;
    if (written.length <= LONGEST_LIST) return `,"${name}":${written}`;
    return `,"${name}":{"count":${names.length},"digest":"${this.keys.ofArguments(names)}"}`;
  }
}

function text(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${plainText(value, LONGEST_CLAIM)}`;
}
