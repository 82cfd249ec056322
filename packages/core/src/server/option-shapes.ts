/** What kind of value each option of `createServer` takes: from JavaScript, or past a cast, anything may come. */
import {
  checkOptions,
  listOf,
  membersOf,
  OPTION_RULES,
  orNull,
  withOthers,
  type OptionRule,
  type ReportProblem,
} from '@sigil-mcp/base';
import { IMPLEMENTATION_RULES, METADATA_RULES } from '@sigil-mcp/protocol';
import type { Observer } from '../context/observer';
import type { CapabilityName, ServerOptions } from './server-options';

const CAPABILITIES: Readonly<Record<CapabilityName, true>> = {
  tools: true,
  resources: true,
  prompts: true,
  completions: true,
};

const has = (value: unknown, names: readonly string[], type: 'function' | 'object'): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === type);

const { flag: FLAG, list: LIST, object: OBJECT, text: TEXT } = OPTION_RULES;
const FUNCTION = orNull(OPTION_RULES.function);
const OBSERVER: Readonly<Record<keyof Observer, OptionRule>> = {
  name: TEXT,
  watchesStages: FLAG,
  requestStarted: FUNCTION,
  notificationReceived: FUNCTION,
  messageUnreadable: FUNCTION,
  requestRefused: FUNCTION,
  streamOpened: FUNCTION,
  sessionStarted: FUNCTION,
  storeUsed: FUNCTION,
  onStart: FUNCTION,
  onStop: FUNCTION,
};

const SECRETS: OptionRule = {
  wanted: 'an array of texts or bytes',
  fits: (value) =>
    Array.isArray(value) && value.every((each) => typeof each === 'string' || each instanceof Uint8Array),
};

/** Those that are undefined are checked where they are read, which says more about them. */
export const SERVER_OPTIONS: Readonly<Record<keyof ServerOptions, OptionRule | undefined>> = {
  name: undefined,
  version: undefined,
  title: IMPLEMENTATION_RULES.title,
  description: undefined,
  websiteUrl: IMPLEMENTATION_RULES.websiteUrl,
  icons: IMPLEMENTATION_RULES.icons,
  instructions: OPTION_RULES.anyText,
  strict: { wanted: "true, false or 'warn'", fits: (value) => typeof value === 'boolean' || value === 'warn' },
  features: undefined,
  modules: LIST,
  providers: LIST,
  guards: LIST,
  scopes: undefined,
  interceptors: LIST,
  observers: listOf('an array of observers, such as [{ requestStarted() { ... } }]', withOthers(OBSERVER)),
  capabilities: {
    wanted: `an array of ${Object.keys(CAPABILITIES).join(', ')}`,
    fits: (value) => Array.isArray(value) && value.every((name) => Object.hasOwn(CAPABILITIES, String(name))),
  },
  extensions: { wanted: "an array of extensions, such as [{ name: 'com.example/words' }]", fits: Array.isArray },
  revisions: undefined,
  stores: {
    wanted: 'an object with sessions, streams, bus, rates and close, such as redis({ client }) of @sigil-mcp/redis',
    fits: (value) => has(value, ['sessions', 'streams', 'bus', 'rates'], 'object') && has(value, ['close'], 'function'),
  },
  limits: OBJECT,
  pageSize: {
    wanted: 'a whole number of entries, 1 or more',
    fits: (value) => value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1),
  },
  cache: METADATA_RULES.cache,
  logger: {
    wanted: 'a logger, the name of a level, or false',
    fits: (value) => value === false || typeof value === 'string' || has(value, ['info', 'error'], 'function'),
  },
  container: {
    wanted: 'an object with the methods of Container',
    fits: (value) => has(value, ['prepare', 'start', 'stop'], 'function'),
  },
  runner: {
    wanted: 'an object with the methods handler and companion',
    fits: (value) => has(value, ['handler', 'companion'], 'function'),
  },
  toolTimeout: undefined,
  answerTimeout: undefined,
  requestState: membersOf({ secrets: SECRETS, lifetime: undefined, maximum: undefined }),
  shutdownDeadline: OPTION_RULES.milliseconds,
  clock: {
    wanted: 'an object with now, elapsed, after and every, such as a ManualClock of @sigil-mcp/testing',
    fits: (value) => has(value, ['now', 'elapsed', 'after', 'every'], 'function'),
  },
};

/** Reports options that do not exist, and values of the wrong kind. */
export function checkOptionShapes(options: ServerOptions, report: ReportProblem): void {
  checkOptions('createServer', options, SERVER_OPTIONS, report);
}
