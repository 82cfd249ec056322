/** `@modelcontextprotocol/client` 2: it knows both ways of talking. */
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { builtApp } from './built-app';
import type { OfficialClient } from './official-client';

const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Spawns a program of an app and meets it in one of the client's ways. */
export async function spawnForClient2(
  app: string,
  program: string,
  mode: VersionNegotiationMode,
): Promise<OfficialClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtApp(app, program)],
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const client = await meet(transport, mode);
  return { ...client, pid: transport.pid ?? 0, stderr: () => stderr };
}

/** Meets a server over Streamable HTTP in one of the client's ways. */
export async function connectClient2(url: string, mode: VersionNegotiationMode): Promise<OfficialClient> {
  const transport = new StreamableHTTPClientTransport(new URL(url));
  const client = await meet(transport, mode);
  const close = async (): Promise<void> => {
    if (transport.sessionId !== undefined) await transport.terminateSession();
    await client.close();
  };
  return { ...client, close };
}

async function meet(transport: Transport, mode: VersionNegotiationMode): Promise<OfficialClient> {
  const client = new Client({ name: 'official-client', version: '2' }, { versionNegotiation: { mode } });
  const logged: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params.data));
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    pid: 0,
    serverInfo: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
    instructions: client.getInstructions(),
    logged,
    stderr: () => '',
    listTools: () => client.listTools(),
    callTool: (name, args, { onprogress, signal, logLevel } = {}) =>
      client.callTool(
        { name, ...(args && { arguments: args }), ...(logLevel && { _meta: { [LOG_LEVEL]: logLevel } }) },
        { ...(onprogress && { onprogress }), ...(signal && { signal }) },
      ),
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
