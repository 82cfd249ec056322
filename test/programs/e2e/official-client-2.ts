/** `@modelcontextprotocol/client` 2: it knows both ways of talking. */
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ASKABLE, CHANGES, QUESTIONS, type AnswerAsked, type OfficialClient } from './official-client';

const PER_REQUEST = '2026-07-28';
/** As the client has them, but that it does not give up on a server that a busy machine starts late. */
const PATIENT = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 20,
};
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

/** Spawns a program and meets it in one of the client's ways. */
export async function spawnForClient2(
  program: string,
  mode: VersionNegotiationMode,
  answer?: AnswerAsked,
): Promise<OfficialClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const client = await meet(transport, mode, answer);
  return { ...client, pid: transport.pid ?? 0, stderr: () => stderr };
}

/** Meets a server over Streamable HTTP in one of the client's ways. */
export async function connectClient2(
  url: string,
  mode: VersionNegotiationMode,
  answer?: AnswerAsked,
): Promise<OfficialClient> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { reconnectionOptions: PATIENT });
  const client = await meet(transport, mode, answer);
  const close = async (): Promise<void> => {
    if (transport.sessionId !== undefined) await transport.terminateSession();
    await client.close();
  };
  return { ...client, close };
}

async function meet(
  transport: Transport,
  mode: VersionNegotiationMode,
  answer: AnswerAsked | undefined,
): Promise<OfficialClient> {
  const options = { versionNegotiation: { mode }, ...(answer && { capabilities: ASKABLE }) };
  const client = new Client({ name: 'official-client', version: '2' }, options);
  if (answer) answerWith(client, answer);
  const heard: string[] = [];
  for (const change of CHANGES) client.setNotificationHandler(change, ({ method }) => void heard.push(method));
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
    heard,
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
    rootsChanged: () => client.sendRootsListChanged(),
    watch: (uri) => watch(client, uri),
    close: () => client.close(),
  };
}

/** The same handlers serve requests, and questions that a result carries: the client repeats its request by itself. */
function answerWith(client: Client, answer: AnswerAsked): void {
  for (const method of QUESTIONS)
    client.setRequestHandler(method, ({ params = {} }) => answer({ method, params }) as never); // judged by the client
}

async function watch(client: Client, uri: string): Promise<() => Promise<unknown>> {
  if (client.getNegotiatedProtocolVersion() !== PER_REQUEST) {
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  }
  const lists = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
  const subscription = await client.listen({ ...lists, resourceSubscriptions: [uri] });
  return () => subscription.close();
}
