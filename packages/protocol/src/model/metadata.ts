/** Members that many nouns share. @see https://modelcontextprotocol.io/specification */
import type { JsonObject } from '../jsonrpc/message';

/** Free metadata of a message or an object; keys follow the `prefix/name` grammar. */
export type Meta = JsonObject;

/** Who speaks or listens. */
export type Role = 'user' | 'assistant';

/** An image that represents something. */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Hints for a client about content or a resource. */
export interface Annotations {
  readonly audience?: readonly Role[];
  /** 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

/** What a client or a server is. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** How long, and by whom, a result may be cached. */
export interface CacheHints {
  /** Milliseconds, an integer of at least 0. */
  readonly ttlMs: number;
  /** `public`: the same for every caller. */
  readonly cacheScope: 'public' | 'private';
}

/** A page of a list. */
export interface Page {
  /** Opaque; absent on the last page. */
  readonly nextCursor?: string;
}
