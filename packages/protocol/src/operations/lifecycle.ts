/** The operations of a connection: how it begins, whether it is alive, and what it logs. */
import { asJsonObject } from '../jsonrpc/message';
import type { InitializeParams, InitializeResult, DiscoverResult } from '../model/lifecycle';
import {
  readCapabilities,
  readImplementation,
  readLogLevel,
  readObject,
  readString,
  resultReader,
  strings,
} from '../reading/read-members';
import { EMPTY_RESULT, NO_PARAMS, writerOf, type Operation } from './operation';
import type { NoParams, EmptyResult } from '../model/metadata';
import type { SetLevelParams } from '../model/notifications';

/**
 * Sets the least severe level of the log messages that a session receives.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 */
export const LOGGING_SET_LEVEL: Operation<'logging/setLevel', SetLevelParams, EmptyResult> = {
  method: 'logging/setLevel',
  compile: () => ({
    readParams: (params) => ({ level: readLogLevel(params['level'], 'params.level') }),
    writeParams: ({ level }) => ({ level }),
    ...EMPTY_RESULT,
  }),
};

/**
 * Checks that the other side answers.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping
 */
export const PING: Operation<'ping', NoParams, EmptyResult> = {
  method: 'ping',
  compile: () => ({ ...NO_PARAMS, ...EMPTY_RESULT }),
};

/**
 * Tells a client which revisions and capabilities a server has.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 */
export const SERVER_DISCOVER: Operation<'server/discover', NoParams, DiscoverResult> = {
  method: 'server/discover',
  isCacheable: true,
  compile: (wire) => ({
    ...NO_PARAMS,
    writeResult: writerOf('DiscoverResult', wire),
    readResult: resultReader<DiscoverResult>({ supportedVersions: strings, capabilities: readObject }),
  }),
};

/**
 * Opens a session: negotiates the revision and exchanges capabilities.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 */
export const INITIALIZE: Operation<'initialize', InitializeParams, InitializeResult> = {
  method: 'initialize',
  compile(wire) {
    const writeImplementation = writerOf('Implementation', wire);
    return {
      readParams: (params) => ({
        protocolVersion: readString(params, 'protocolVersion', 'params'),
        capabilities: readCapabilities(params, 'capabilities', 'params'),
        clientInfo: readImplementation(params, 'clientInfo', 'params'),
      }),
      writeParams: ({ protocolVersion, capabilities, clientInfo }) => ({
        protocolVersion,
        capabilities: asJsonObject(capabilities),
        clientInfo: writeImplementation(clientInfo),
      }),
      writeResult: writerOf('InitializeResult', wire),
      readResult: resultReader<InitializeResult>({
        protocolVersion: readString,
        capabilities: readObject,
        serverInfo: readImplementation,
      }),
    };
  },
};
