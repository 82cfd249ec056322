/** What each option of `SigilModule` is: from JavaScript, or past a cast, anything may come. */
import { OPTION_RULES, SERVER_OPTIONS, membersOf, oneOf, type OptionRule } from '@sigil-mcp/core/internal';
import { ENDPOINT_OPTIONS } from '@sigil-mcp/http/adapter';
import type { SigilModuleAsyncOptions, SigilModuleOptions } from './module-options';

const { flag: FLAG, function: FUNCTION, list: LIST, object: OBJECT } = OPTION_RULES;
const { container: _container, runner: _runner, providers: _providers, ...OF_SERVER } = SERVER_OPTIONS;
const { path: _path, ...OF_ENDPOINT } = ENDPOINT_OPTIONS;

/** Of the server and of its endpoint, which check most values where they are read. */
export const MODULE_OPTIONS: Readonly<Record<keyof SigilModuleOptions, OptionRule | undefined>> = {
  ...OF_SERVER,
  path: undefined,
  globalPrefix: FLAG,
  http: {
    ...membersOf({ ...OF_ENDPOINT, isLoopback: FLAG }),
    wanted: 'false or an object',
    fits: (value) => value === false || OBJECT.fits(value),
  },
  endpointGuards: LIST,
  callerOf: FUNCTION,
  withoutUser: oneOf('everything', 'public'),
  stdio: { wanted: 'true, false or an object', fits: (value) => FLAG.fits(value) || OBJECT.fits(value) },
};

/** Of `forRootAsync`. */
export const ASYNC_OPTIONS: Readonly<Record<keyof SigilModuleAsyncOptions, OptionRule | undefined>> = {
  imports: LIST,
  inject: LIST,
  useFactory: FUNCTION,
  useClass: FUNCTION,
  useExisting: undefined,
};
