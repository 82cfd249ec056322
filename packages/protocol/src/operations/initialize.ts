/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle */
import { asJsonObject } from '../jsonrpc/write-message';
import type { InitializeParams, InitializeResult } from '../model/lifecycle';
import { readCapabilities, readImplementation } from '../reading/read-client';
import { readObject, readString } from '../reading/read-members';
import { resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { writerOf } from './shared-codecs';

/** Opens a session: negotiates the revision and exchanges capabilities. */
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
