/** The operations of tools. */
import type { ListParams } from '../model/metadata';
import type { ListToolsResult, CallToolParams, CallToolResult } from '../model/tools';
import { listOf, resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { PAGE_PARAMS, writerOf } from './shared-codecs';
import { InvalidArguments } from '../jsonrpc/invalid-arguments';
import { readOptionalObject, readString } from '../reading/read-members';
import { callResultText, callResultWriter } from '../writing/write-call-result';
import { contentWriter } from '../writing/write-content';

/**
 * Calls a tool.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export const TOOLS_CALL: Operation<'tools/call', CallToolParams, CallToolResult> = {
  method: 'tools/call',
  nameParameter: 'name',
  mayAsk: true,
  compile({ rules, find }) {
    const writeBlock = contentWriter(rules.version, find);
    const isReadable = rules.invalidToolArguments === 'result';
    return {
      readParams: (params) => ({
        name: readString(params, 'name', 'params'),
        arguments: readOptionalObject(params, 'arguments', 'params') ?? {},
      }),
      writeParams: ({ name, arguments: args }) => ({ name, arguments: args }),
      writeResult: callResultWriter(rules, writeBlock),
      writeMembers: callResultText(rules, writeBlock),
      resultOf: (error) =>
        isReadable && error instanceof InvalidArguments
          ? { content: [{ type: 'text', text: error.message }], isError: true }
          : undefined,
      readResult(result) {
        const read = readCallResult(result);
        // The model says whether it is an error; on the wire, a result without the member is not an error.
        return result['isError'] === undefined ? { ...read, isError: false } : read;
      },
    };
  },
};

const readCallResult = resultReader<CallToolResult>({ content: listOf('type') });

/** Lists tools, page by page. */
export const TOOLS_LIST: Operation<'tools/list', ListParams, ListToolsResult> = {
  method: 'tools/list',
  isCacheable: true,
  compile: (wire) => ({
    ...PAGE_PARAMS,
    writeResult: writerOf('ListToolsResult', wire),
    readResult: resultReader<ListToolsResult>({ tools: listOf('name') }),
  }),
};
