/**
 * What a server has to check in each call, written by hand and nothing else: the message, the envelope of 2026-07-28, and input and output
 * by their schemas. No guards, progress, cancellation or resumption: it shows how near to the floor a server that validates can be.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { toolset } from './toolset.mjs';

/** What servers say of themselves that no framework helps. */
const SERVER = { name: 'bench', version: '1.0.0' };

/** The result of `initialize`. */
export const OPENING = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: SERVER };

/** What each result of 2026-07-28 carries. */
export const SERVER_META = { 'io.modelcontextprotocol/serverInfo': SERVER };

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const refusal = (id, code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });
const answer = (id, result) => ({ jsonrpc: '2.0', id, result });

/** Whether a message names its revision itself. */
export function isAlone({ params } = {}) {
  return isObject(params) && isObject(params._meta) && VERSION in params._meta;
}

/** @returns the function from a message to its answer, undefined to a notification */
export function handWritten(count) {
  const tools = registryOf(count);
  return async (message) => {
    if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string')
      return refusal(null, -32600, 'Invalid Request');
    const { id, method, params } = message;
    if (id === undefined) return undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return refusal(null, -32600, 'Invalid Request');
    if (params !== undefined && !isObject(params)) return refusal(id, -32602, 'Invalid params');
    const alone = isAlone(message);
    if (alone && (params._meta[VERSION] !== '2026-07-28' || !isObject(params._meta[CAPABILITIES])))
      return refusal(id, -32602, 'Bad envelope');
    if (method === 'tools/call') return call(tools, { id, params, alone });
    return method === 'initialize' ? answer(id, OPENING) : refusal(id, -32601, 'Method not found');
  };
}

/** What a call may hear of itself; a signal is made when it is asked for. */
class CallContext {
  #controller;

  constructor(id) {
    this.id = id;
  }

  get signal() {
    return (this.#controller ??= new globalThis.AbortController()).signal;
  }
}

async function call(tools, { id, params, alone }) {
  const tool = tools.get(params?.name);
  if (tool === undefined) return refusal(id, -32602, 'Unknown tool');
  const given = params.arguments ?? {};
  const wrong = tool.wrongInput(given);
  if (wrong !== undefined) return answer(id, failed(wrong));
  let result;
  try {
    result = await tool.run(given, new CallContext(id));
  } catch (error) {
    return answer(id, failed(String(error?.message ?? error)));
  }
  const broken = result.isError ? undefined : tool.wrongOutput?.(result.structuredContent);
  if (broken !== undefined) return refusal(id, -32603, broken);
  return answer(id, alone ? { ...result, resultType: 'complete', _meta: SERVER_META } : result);
}

function failed(text) {
  return { content: [{ type: 'text', text }], isError: true };
}

function registryOf(count) {
  const ajv = new Ajv2020({ strict: false });
  return new Map(
    toolset(count).map(({ name, run, inputSchema, outputSchema }) => [
      name,
      {
        run: async (given, context) => run(given, context),
        wrongInput: checkOf(ajv, inputSchema),
        wrongOutput: outputSchema && checkOf(ajv, outputSchema),
      },
    ]),
  );
}

/** A thousand schemas compiled at start would be most of it: each is compiled when it is first used. */
function checkOf(ajv, schema) {
  let isValid;
  return (value) => {
    isValid ??= ajv.compile(schema);
    return isValid(value) ? undefined : ajv.errorsText(isValid.errors);
  };
}
