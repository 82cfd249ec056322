/** The names of keys and channels. The part in braces decides the slot in a cluster: keys that are used together have the same. */
import { createHash } from 'node:crypto';
import type { StreamName } from '@sigil-mcp/core/stores';
import { redisError } from './errors';

/** The names of a log, and of the channel that wakes its readers. */
export interface LogKeys {
  readonly log: string;
  readonly channel: string;
}

/** The names of a stream of events. */
export interface StreamKeys {
  readonly owner: string;
  readonly events: string;
  /** The command that publishes to its followers, while it has some. */
  readonly follower: string;
  readonly channel: string;
}

/** The names of a topic. */
export interface TopicKeys {
  /** The last change. */
  readonly last: string;
  /** The command that publishes to its followers, while it has some. */
  readonly follower: string;
  readonly channel: string;
}

/** The namespace of stores that no server uses. */
const NOBODYS = 'sigil';
const LONGEST = 100;
/** Characters of the digest of a topic: no two topics have the same. */
const DIGEST = 22;

/** The names of one namespace. */
export class RedisKeys {
  #namespace: string | undefined;

  /**
   * @param given undefined for the name of the server
   * @throws SigilError for a namespace with other characters, such as braces
   */
  constructor(given: string | undefined) {
    if (given !== undefined && !/^[\w:-]{1,100}$/.test(given))
      throw redisError('SIGIL_REDIS_NAMESPACE', { namespace: JSON.stringify(given) });
    this.#namespace = given;
  }

  /** The prefix of all names. */
  get namespace(): string {
    return this.#namespace ?? NOBODYS;
  }

  /** The first server that uses the keys gives them its name, unless a namespace was configured. */
  serve(server: string): void {
    this.#namespace ??= server.replace(/[^\w:-]/g, '_').slice(0, LONGEST) || NOBODYS;
  }

  /** The name of the server that uses the namespace. */
  get server(): string {
    return `${this.namespace}:server`;
  }

  /** A text that all instances share. */
  shared(name: string): string {
    return `${this.namespace}:shared:${name}`;
  }

  /** The record of a session. */
  session(id: string): string {
    return `${this.namespace}:{${id}}:s`;
  }

  /** The names of the streams of a session. */
  streams(session: string): string {
    return `${this.namespace}:{${session}}:k`;
  }

  /** The instances that work for a session. */
  workers(session: string): string {
    return `${this.namespace}:{${session}}:i`;
  }

  /** What instances that begin to work for a session have to know. */
  notes(session: string): string {
    return `${this.namespace}:{${session}}:n`;
  }

  /** The keys of a stream, and the channel that wakes its followers. */
  stream({ session, stream }: StreamName): StreamKeys {
    const slot = `${this.namespace}:{${session}}`;
    return {
      owner: `${slot}:o:${stream}`,
      events: `${slot}:e:${stream}`,
      follower: `${slot}:f:${stream}`,
      channel: `${slot}:w:${stream}`,
    };
  }

  /** The keys of a topic, and the channel of its followers. */
  topic(topic: string): TopicKeys {
    const slot = `${this.namespace}:{t:${createHash('sha256').update(topic).digest('base64url').slice(0, DIGEST)}}`;
    return { last: `${slot}:l`, follower: `${slot}:f`, channel: `${slot}:w` };
  }

  /** Says that there is an instance without topics. */
  get withoutTopics(): string {
    return `${this.namespace}:without-topics`;
  }

  /** The changes that are announced to all instances, and the channel that wakes them. */
  get changes(): LogKeys {
    return { log: `${this.namespace}:changes`, channel: `${this.namespace}:changes:w` };
  }

  /** The messages to all instances, and the channel that wakes them. */
  get all(): LogKeys {
    return { log: `${this.namespace}:all`, channel: `${this.namespace}:all:w` };
  }

  /** The key that shows that an instance is alive, its messages, and the channel that wakes it. */
  instance(id: string): LogKeys & { readonly alive: string } {
    const slot = `${this.namespace}:{i:${id}}`;
    return { alive: `${slot}:alive`, log: `${slot}:inbox`, channel: `${slot}:w` };
  }

  /** The time at which a key's rate is fully available again. */
  rate(key: string): string {
    return `${this.namespace}:rate:${key}`;
  }
}
