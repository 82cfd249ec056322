/** How client and server learn about each other: `initialize` and `server/discover`. */
import type { JsonObject } from '../jsonrpc/message';
import type { CacheHints, Implementation, Meta } from './metadata';

/** What a client can do for the server. */
export interface ClientCapabilities {
  readonly roots?: { readonly listChanged?: boolean };
  readonly sampling?: { readonly context?: JsonObject; readonly tools?: JsonObject };
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject };
  readonly experimental?: Readonly<Record<string, JsonObject>>;
  readonly extensions?: Readonly<Record<string, JsonObject>>;
}

/** What a server offers. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
  readonly completions?: JsonObject;
  readonly logging?: JsonObject;
  readonly experimental?: Readonly<Record<string, JsonObject>>;
  readonly extensions?: Readonly<Record<string, JsonObject>>;
}

/** Parameters of `initialize`. */
export interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: Implementation;
}

/** Result of `initialize`. */
export interface InitializeResult {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
  readonly _meta?: Meta;
}

/** Result of `server/discover`. */
export interface DiscoverResult extends Partial<CacheHints> {
  readonly supportedVersions: readonly string[];
  readonly capabilities: ServerCapabilities;
  readonly instructions?: string;
  readonly _meta?: Meta;
}
