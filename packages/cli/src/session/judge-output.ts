/** Checks what tools answer by their output schemas, as the hosts of servers do. */
import type { CallToolResult, Tool } from '@sigil-mcp/protocol';
import { ERROR_CODES } from '@sigil-mcp/protocol';
import { RpcError } from '@sigil-mcp/client';

/** Checks a value by a JSON Schema. @returns what is wrong; undefined for nothing */
export type SchemaJudge = (schema: unknown, value: unknown) => string | undefined;

/** The validator of the official client, loaded where something is to be checked. */
export async function schemaJudge(): Promise<SchemaJudge> {
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
  const validators = new AjvJsonSchemaValidator();
  return (schema, value) => {
    const result = validators.getValidator(schema as Record<string, unknown>)(value);
    return result.valid ? undefined : result.errorMessage;
  };
}

/** Checks the result of a tool. @throws RpcError if it does not fit the output schema */
export async function judgeOutput(
  tool: Tool | undefined,
  { structuredContent: content, isError }: CallToolResult,
): Promise<void> {
  if (tool?.outputSchema === undefined || isError) return;
  const { name, outputSchema } = tool;
  const fail = (code: 'invalid-request' | 'invalid-params', message: string): RpcError =>
    new RpcError({ code: ERROR_CODES[code], message });
  if (content === undefined)
    throw fail('invalid-request', `Tool ${name} has an output schema but did not return structured content`);
  const judge = await schemaJudge();
  let wrong: string | undefined;
  try {
    wrong = judge(outputSchema, content);
  } catch (error) {
    throw fail('invalid-params', `Tool '${name}' has an invalid outputSchema: ${String(error).slice(0, 200)}`);
  }
  if (wrong !== undefined)
    throw fail('invalid-params', `Structured content does not match the tool's output schema: ${wrong}`);
}
