/** Members that many nouns share. @see https://modelcontextprotocol.io/specification */
import { OPTION_RULES, listOf, membersOf, oneOf, wholeNumber, withOthers, type OptionRule } from '@sigil-mcp/base';
import type { JsonObject } from '../jsonrpc/message';

/** Parameters of a list request. */
export interface ListParams {
  readonly cursor?: string;
}

/** No parameters. */
export type NoParams = Readonly<Record<never, never>>;

/** No result beyond the fact that it worked. */
export type EmptyResult = Readonly<Record<never, never>>;

/**
 * Reserved `_meta` keys by what they carry.
 *
 * The keys that the protocol itself uses in `_meta`. @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
export const META_KEYS = {
  /** Request: which revision it speaks. */
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  /** Request: what the client can do. */
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  /** Request: who the client says it is. */
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  /** Request: from which level on log messages are wanted. */
  logLevel: 'io.modelcontextprotocol/logLevel',
  /** Result: which server answered. */
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  /** Notification and result: the id of the `subscriptions/listen` request it belongs to. */
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

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

const ADDRESS: OptionRule = {
  wanted: 'a URL',
  fits: (value) => typeof value === 'string' || value instanceof URL,
};
const ICON_RULES: Readonly<Record<keyof Icon, OptionRule>> = {
  src: ADDRESS,
  mimeType: OPTION_RULES.text,
  sizes: OPTION_RULES.texts,
  theme: oneOf('light', 'dark'),
};

/** What clients and servers write about themselves and what they offer, for the one check of options. */
export const METADATA_RULES = {
  icons: listOf(
    "an array of icons, such as [{ src: 'https://example.com/icon.png' }]",
    withOthers(ICON_RULES, { needs: 'src' }),
  ),
  annotations: membersOf({
    audience: {
      wanted: "an array of 'user' and 'assistant'",
      fits: (value) => Array.isArray(value) && value.every((role) => role === 'user' || role === 'assistant'),
    },
    priority: {
      wanted: 'a number from 0 to 1',
      fits: (value) => typeof value === 'number' && value >= 0 && value <= 1,
    },
    lastModified: OPTION_RULES.text,
  } satisfies Record<keyof Annotations, OptionRule>),
  cache: membersOf({
    ttlMs: wholeNumber(0),
    cacheScope: oneOf('public', 'private'),
  } satisfies Record<keyof CacheHints, OptionRule>),
} as const;

/** What a client or a server is. */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

const { anyText: TEXT } = OPTION_RULES;
const MEMBERS: Readonly<Record<keyof Implementation, OptionRule>> = {
  name: OPTION_RULES.text,
  version: TEXT,
  title: TEXT,
  description: TEXT,
  websiteUrl: ADDRESS,
  icons: METADATA_RULES.icons,
};

/** For the one check of options: the file `package.json` of a program has other members, too. */
export const IMPLEMENTATION_RULES = withOthers(MEMBERS, { needs: 'name' });

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
