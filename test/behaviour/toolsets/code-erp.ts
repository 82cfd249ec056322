/** The server of the tests with scripts in front of its tools. */
import { createServer, type JsonObject, type Server, type ServerOptions } from '@sigil-mcp/core';
import { codeToolset, type CodeToolsetOptions } from '@sigil-mcp/toolsets/code';
import type { TestClient } from '@sigil-mcp/testing';
import { erpFeatures } from './erp';

/** Times that a busy machine does not exceed: they are measured while other programs run. */
const PATIENT = { cpu: 50_000, check: 60_000 };

/** The server, and what its tools have done. @param toolset limits of time are long, unless it says so */
export function codeErp(
  toolset: CodeToolsetOptions = {},
  options: Partial<ServerOptions> = {},
): { readonly server: Server; readonly done: string[] } {
  const done: string[] = [];
  const server = createServer({
    name: 'erp',
    version: '1.0.0',
    logger: false,
    ...options,
    features: [...erpFeatures(done), ...(options.features ?? [])],
    extensions: [codeToolset({ ...toolset, limits: { ...PATIENT, ...toolset.limits } }), ...(options.extensions ?? [])],
  });
  return { server, done };
}

/** What a script answered. */
export interface Ran {
  readonly isError: boolean;
  /** The result or the error. */
  readonly text: string;
  readonly console: string;
  readonly structured: JsonObject | undefined;
}

/** Runs a script. */
export async function run(client: TestClient, code: string): Promise<Ran> {
  const { content, isError, structuredContent } = await client.callTool('run_code', { code });
  const [first, second] = content as readonly { readonly text: string }[];
  const structured = structuredContent as JsonObject | undefined;
  return { isError: isError === true, text: first?.text ?? '', console: second?.text ?? '', structured };
}
