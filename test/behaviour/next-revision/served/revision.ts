/**
 * The draft of a next revision, as a file of changes: a tool lists the variants of its output, and its result has one entry for each that
 * the request names.
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/3279
 */
import {
  ALL_OPERATIONS,
  ALL_RULES,
  ProtocolError,
  compileRevision,
  extendRevision,
  type JsonObject,
  type JsonValue,
  type Operation,
} from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/core/internal';

/** The date of the draft. */
export const NEXT = '2026-12-01';

const before = ALL_RULES.at(-1) ?? ALL_RULES[0];

function operation(method: string): Operation {
  const found = ALL_OPERATIONS.find((one) => one.method === method);
  if (!found) throw new Error(method);
  return found;
}

const [call, list] = [operation('tools/call'), operation('tools/list')];

/** Parameters with the variants of the output that the client wants; all of them if it names none. */
interface WithOutputs {
  readonly requestedOutputs?: readonly JsonValue[];
}

function withRequested<P extends object>(read: P, { requestedOutputs }: JsonObject): P & WithOutputs {
  if (requestedOutputs === undefined) return read;
  if (!Array.isArray(requestedOutputs) || requestedOutputs.some((name) => typeof name !== 'string'))
    throw new ProtocolError('invalid-params', 'params.requestedOutputs must be a list of names');
  return { ...read, requestedOutputs };
}

/** Whether a client wants a variant. */
function wants({ requestedOutputs }: WithOutputs, variant: JsonValue | undefined): boolean {
  return requestedOutputs?.includes(variant ?? null) ?? true;
}

/** `outputs` in place of `content` and `structuredContent`, those that the request names. */
const CALL: Operation<string, WithOutputs> = {
  ...call,
  resultDependsOnParams: true,
  compile(wire) {
    const { writeMembers: _members, ...codec } = call.compile(wire);
    return {
      ...codec,
      readParams: (params) => withRequested(codec.readParams(params), params),
      writeResult(result, params = {}) {
        const { content, structuredContent, ...rest } = codec.writeResult(result);
        const blocks = Array.isArray(content) ? content : [];
        const outputs: JsonObject[] = blocks.map((block: JsonValue) => ({ variant: 'content', value: block }));
        if (structuredContent !== undefined) outputs.unshift({ variant: 'structured', value: structuredContent });
        const isError = rest['isError'] === true;
        return { outputs: outputs.filter(({ variant }) => isError || wants(params, variant)), ...rest };
      },
    };
  },
};

/** `outputVariants` in place of `outputSchema`. */
const LIST: Operation = {
  ...list,
  compile(wire) {
    const codec = list.compile(wire);
    return {
      ...codec,
      writeResult(result) {
        const { tools, ...rest } = codec.writeResult(result);
        return { tools: Array.isArray(tools) ? tools.map(withVariants) : [], ...rest };
      },
    };
  },
};

function withVariants(tool: JsonValue): JsonValue {
  if (!isObject(tool)) return tool;
  const { outputSchema, ...rest } = tool;
  const structured: JsonObject[] = outputSchema === undefined ? [] : [{ variant: 'structured', schema: outputSchema }];
  return { ...rest, outputVariants: [...structured, { variant: 'content' }] };
}

/** 2026-07-28, and what the draft changes. */
export const NEXT_REVISION = compileRevision(
  extendRevision(before, {
    version: NEXT,
    removes: { requests: [call, list] },
    adds: { requests: [CALL, LIST] },
  }),
);
