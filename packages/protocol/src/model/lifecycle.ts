/** How client and server learn about each other: `initialize` and `server/discover`. */
import { OPTION_RULES, membersOf, withOthers, type OptionRule } from '@sigil-mcp/base';
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

const { flag: FLAG, object: OBJECT } = OPTION_RULES;

/** For the one check of options; what is experimental, or of extensions, is free. */
const MEMBERS: Readonly<Record<keyof ClientCapabilities, OptionRule>> = {
  roots: membersOf(withOthers({ listChanged: FLAG })),
  sampling: membersOf(withOthers({ context: OBJECT, tools: OBJECT })),
  elicitation: membersOf(withOthers({ form: OBJECT, url: OBJECT })),
  experimental: OBJECT,
  extensions: OBJECT,
};

/** Of all revisions: some have others, such as `tasks`. */
export const CAPABILITY_RULES = withOthers(MEMBERS);

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
