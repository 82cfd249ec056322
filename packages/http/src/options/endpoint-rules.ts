/** What the options of an endpoint may be: those of every handler, plugin and transport over HTTP. */
import {
  isObject,
  membersOf,
  oneOf,
  OPTION_RULES,
  wholeNumber,
  withOthers,
  type OptionRule,
} from '@sigil-mcp/core/adapter';
import type { Auth } from '@sigil-mcp/core';
import type { EndpointOptions } from './endpoint-options';

const MILLISECONDS: OptionRule = {
  wanted: 'milliseconds, more than 0',
  fits: (value) => typeof value === 'number' && value > 0,
};
const { texts: NAMES } = OPTION_RULES;

/** An object with these members, or one of some plain values in its place. */
function objectOr(plain: readonly unknown[], rule: OptionRule): OptionRule {
  const wanted = `${plain.join(', ')} or an object with ${Object.keys(rule.members ?? {}).join(', ')}`;
  return { ...rule, wanted, fits: (value) => plain.includes(value) || rule.fits(value) };
}

/** What it publishes is checked where it is read. */
const AUTH_MEMBERS: Readonly<Record<keyof Auth, OptionRule | undefined>> = {
  verify: undefined,
  resource: undefined,
  authorizationServers: NAMES,
  implies: OPTION_RULES.object,
  scopes: NAMES,
  scopesSupported: NAMES,
  serverMetadata: OPTION_RULES.function,
};

/** Those that are undefined are checked where they are read, which says more about them. */
export const ENDPOINT_OPTIONS: Readonly<Record<keyof EndpointOptions, OptionRule | undefined>> = {
  path: undefined,
  allowedHosts: NAMES,
  allowedOrigins: NAMES,
  sessions: objectOr([false], membersOf({ idleTime: MILLISECONDS })),
  stream: oneOf('auto', 'always', 'buffered'),
  sse: objectOr([true, false], membersOf({ path: undefined, messagesPath: undefined, publicMessagesPath: undefined })),
  bodyLimit: wholeNumber(1),
  limits: OPTION_RULES.object,
  keepAliveInterval: MILLISECONDS,
  retryInterval: MILLISECONDS,
  health: objectOr([true, false], membersOf({ memory: OPTION_RULES.flag })),
  auth: {
    wanted: 'an object with the function verify, such as jwt({ ... }) of @sigil-mcp/oauth',
    fits: (value) => isObject(value) && typeof value['verify'] === 'function',
    // It may have state of its own, such as a cache.
    members: withOthers(AUTH_MEMBERS),
  },
};

const { flag: FLAG, function: FUNCTION } = OPTION_RULES;

/** Of handlers: what the program around them knows, besides. */
export const HANDLER_OPTIONS = { ...ENDPOINT_OPTIONS, isLoopback: FLAG };
/** Of handlers that are told the address of a client. */
export const ADDRESSED_OPTIONS = { ...HANDLER_OPTIONS, address: FUNCTION };
