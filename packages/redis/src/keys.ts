/** The names of keys and channels. What stands in braces decides the slot of a cluster: what is used together has the same. */
import { sigilError } from '@sigil-mcp/core/adapter';
import type { StreamName } from '@sigil-mcp/core/stores';

/** The names of a log, and of the channel that wakes who reads it. */
export interface LogKeys {
  readonly log: string;
  readonly channel: string;
}

/** For a store of no server. */
const NOBODYS = 'sigil';
const LONGEST = 100;

/** The names of one namespace. */
export class Keys {
  #namespace: string | undefined;

  /**
   * @param given undefined for the name of the server
   * @throws SigilError for a namespace of other characters, braces above all
   */
  constructor(given: string | undefined) {
    if (given !== undefined && !/^[\w:-]{1,100}$/.test(given))
      throw sigilError('SIGIL_REDIS_NAMESPACE', { namespace: JSON.stringify(given) });
    this.#namespace = given;
  }

  /** What all names begin with. */
  get namespace(): string {
    return this.#namespace ?? NOBODYS;
  }

  /** The first server that uses them gives them its name, where nothing else was given. */
  serve(server: string): void {
    this.#namespace ??= server.replace(/[^\w:-]/g, '_').slice(0, LONGEST) || NOBODYS;
  }

  /** Who uses the namespace. */
  get server(): string {
    return `${this.namespace}:server`;
  }

  /** The record of a session. */
  session(id: string): string {
    return `${this.namespace}:{${id}}:s`;
  }

  /** The names of the streams of a session that may be kept. */
  streams(session: string): string {
    return `${this.namespace}:{${session}}:k`;
  }

  /** Who owns a stream, what was said on it, and the channel that wakes who follows it. */
  stream({ session, stream }: StreamName): {
    readonly owner: string;
    readonly events: string;
    readonly channel: string;
  } {
    const slot = `${this.namespace}:{${session}}`;
    return { owner: `${slot}:o:${stream}`, events: `${slot}:e:${stream}`, channel: `${slot}:w:${stream}` };
  }

  /** What is announced to all instances, and the channel that wakes them. */
  get changes(): LogKeys {
    return { log: `${this.namespace}:changes`, channel: `${this.namespace}:changes:w` };
  }

  /** The messages to all instances, and the channel that wakes them. */
  get all(): LogKeys {
    return { log: `${this.namespace}:all`, channel: `${this.namespace}:all:w` };
  }

  /** Whether an instance is alive, what is sent to it, and the channel that wakes it. */
  instance(id: string): LogKeys & { readonly alive: string } {
    const slot = `${this.namespace}:{i:${id}}`;
    return { alive: `${slot}:alive`, log: `${slot}:inbox`, channel: `${slot}:w` };
  }

  /** When a key has the whole of its rate again. */
  rate(key: string): string {
    return `${this.namespace}:rate:${key}`;
  }
}
