/** From a server object to a client that speaks one revision with it. */
import { MemoryTransport, type Server } from '@sigil-mcp/core';
import { NEWEST_PER_REQUEST_REVISION, findRevision, type ClientCapabilities, type Revision } from '@sigil-mcp/protocol';
import type { AnswerQuestion } from './answers';
import { manners } from './conversations/manners';
import { TestClient } from './test-client';

/** Who the client is, and what it speaks. */
export interface ConnectOptions {
  /** A revision's date; the newest if left out. */
  readonly revision?: string;
  /** What the client declares that it can do; nothing if left out. */
  readonly capabilities?: ClientCapabilities;
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Answers what the server asks. Without it a question is refused, or its `input_required` result is handed to the test. */
  readonly answers?: AnswerQuestion;
}

/**
 * Connects a client over memory: what travels is the same text as on any other transport. The revision is negotiated and
 * checked; a server that falls back to another one makes this fail.
 * @example
 * const client = await connect(server, { revision: '2025-06-18' });
 * expect(await client.callTool('forecast', { city: 'Oslo' })).toMatchObject({ isError: false });
 * await client.close();
 */
export async function connect(server: Server, options: ConnectOptions = {}): Promise<TestClient> {
  const revision = revisionOf(options.revision);
  const transport = new MemoryTransport();
  await server.listen(transport);
  const client = new TestClient(
    { revision, manners: manners(revision, { ...DEFAULTS, ...options }), answers: options.answers },
    (receive) => transport.connect(receive),
  );
  await client.open();
  return client;
}

const DEFAULTS = { capabilities: {}, clientInfo: { name: 'sigil-testing', version: '1.0.0' } } as const;

function revisionOf(version: string | undefined): Revision {
  const revision = version === undefined ? NEWEST_PER_REQUEST_REVISION : findRevision(version);
  if (!revision) throw new RangeError(`There is no protocol revision ${JSON.stringify(version)}.`);
  return revision;
}
