/** `@modelcontextprotocol/sdk` 1: the client that most applications have today. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { OfficialClient } from './official-client';

/** Spawns a program and shakes hands with it. */
export async function openHandshakeOfSdk(program: string): Promise<OfficialClient> {
  const client = new Client({ name: 'official-sdk', version: '1' });
  const transport = new StdioClientTransport({ command: process.execPath, args: [program], stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  let revision: string | undefined;
  // The client tells its transport what was negotiated, if the transport wants to know.
  Object.assign(transport, { setProtocolVersion: (version: string) => (revision = version) });
  const logged: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params.data));
  await client.connect(transport);
  return {
    revision,
    pid: transport.pid ?? 0,
    serverInfo: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    logged,
    stderr: () => stderr,
    listTools: () => client.listTools(),
    callTool: (name, args, { onprogress, signal } = {}) =>
      client.callTool({ name, ...(args && { arguments: args }) }, undefined, {
        ...(onprogress && { onprogress }),
        ...(signal && { signal }),
      }),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    listPrompts: () => client.listPrompts(),
    getPrompt: (name, args) => client.getPrompt({ name, ...(args && { arguments: args }) }),
    complete: (typing) => client.complete(typing),
    ping: () => client.ping(),
    setLoggingLevel: (level) => client.setLoggingLevel(level),
    close: () => client.close(),
  };
}
