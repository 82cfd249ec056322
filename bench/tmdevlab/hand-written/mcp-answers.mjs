/** From a message to its answer: JSON-RPC, the four methods of the benchmark, and arguments by their schemas. */
import { Ajv2020 } from 'ajv/dist/2020.js';

const REVISIONS = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);
const NEWEST = '2025-11-25';
const SERVER = { name: 'BenchmarkHandWrittenServer', version: '1.0.0' };

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const answer = (id, result) => ({ jsonrpc: '2.0', id, result });
const refusal = (id, code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });
const textOf = (value) => [{ type: 'text', text: value }];

export class McpAnswers {
  #tools;
  #list;

  /** @param tools with a name, a description, an input schema, and the function to run */
  constructor(tools) {
    const ajv = new Ajv2020({ useDefaults: true, strict: false });
    this.#list = { tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })) };
    this.#tools = new Map(
      tools.map(({ name, inputSchema, run }) => {
        const isValid = ajv.compile(inputSchema);
        const wrong = (input) => (isValid(input) ? undefined : ajv.errorsText(isValid.errors));
        return [name, { run, wrong }];
      }),
    );
  }

  /** @returns undefined for a notification */
  async to(message) {
    if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string')
      return refusal(null, -32600, 'Invalid Request');
    const { id, method, params } = message;
    if (id === undefined) return undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return refusal(null, -32600, 'Invalid Request');
    if (params !== undefined && !isObject(params)) return refusal(id, -32602, 'Invalid params');
    if (method === 'tools/call') return this.#call(id, params);
    if (method === 'tools/list') return answer(id, this.#list);
    if (method === 'initialize') return this.#initialize(id, params);
    return method === 'ping' ? answer(id, {}) : refusal(id, -32601, 'Method not found');
  }

  #initialize(id, params) {
    const isComplete =
      typeof params?.protocolVersion === 'string' && isObject(params.capabilities) && isObject(params.clientInfo);
    if (!isComplete) return refusal(id, -32602, 'Invalid params');
    const protocolVersion = REVISIONS.has(params.protocolVersion) ? params.protocolVersion : NEWEST;
    return answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: SERVER });
  }

  async #call(id, params) {
    const tool = this.#tools.get(params?.name);
    if (tool === undefined) return refusal(id, -32602, 'Unknown tool');
    const input = params.arguments ?? {};
    const wrong = tool.wrong(input);
    if (wrong !== undefined) return answer(id, { content: textOf(wrong), isError: true });
    try {
      return answer(id, { content: textOf(JSON.stringify(await tool.run(input))) });
    } catch {
      return answer(id, { content: textOf('The tool failed.'), isError: true });
    }
  }
}
