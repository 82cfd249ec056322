/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging */
import type { SetLevelParams } from '../model/logging';
import type { EmptyResult } from '../model/params';
import { readLogLevel } from '../reading/read-log-level';
import type { Operation } from './operation';
import { EMPTY_RESULT } from './shared-codecs';

/** Sets the least severe level of the log messages that a session receives. */
export const LOGGING_SET_LEVEL: Operation<'logging/setLevel', SetLevelParams, EmptyResult> = {
  method: 'logging/setLevel',
  compile: () => ({
    readParams: (params) => ({ level: readLogLevel(params['level'], 'params.level') }),
    writeParams: ({ level }) => ({ level }),
    ...EMPTY_RESULT,
  }),
};
