/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
import type { DiscoverResult } from '../model/lifecycle';
import type { NoParams } from '../model/params';
import { readObject } from '../reading/read-members';
import { resultReader, strings } from '../reading/read-result';
import type { Operation } from './operation';
import { NO_PARAMS, writerOf } from './shared-codecs';

/** Tells a client which revisions and capabilities a server has. */
export const SERVER_DISCOVER: Operation<'server/discover', NoParams, DiscoverResult> = {
  method: 'server/discover',
  isCacheable: true,
  compile: (wire) => ({
    ...NO_PARAMS,
    writeResult: writerOf('DiscoverResult', wire),
    readResult: resultReader<DiscoverResult>({ supportedVersions: strings, capabilities: readObject }),
  }),
};
