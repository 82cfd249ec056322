/** `eachRevision`, with every message that travelled judged by the official schema of its revision. */
import type { RevisionCase, RevisionRange, TestClient } from '@sigil-mcp/testing';
import { eachRevision as eachRevisionUnchecked } from '../../support/each-revision';
import { validateMessage } from '../../support/supplies/judge-message';

/** Declares a test for each revision; it fails for a message of the server that the revision's schema refuses. */
export function eachRevision(
  title: string,
  test: (context: RevisionCase) => Promise<void>,
  range: RevisionRange = {},
): void {
  const checked = async (context: RevisionCase): Promise<void> => {
    const clients: TestClient[] = [];
    await test({
      ...context,
      connect: async (server, options) => {
        const client = await context.connect(server, options);
        expect(client.revision).toBe(context.revision);
        clients.push(client);
        return client;
      },
    });
    for (const client of clients) expect(schemaErrors(client)).toEqual([]);
  };
  eachRevisionUnchecked(title, checked, range);
}

/** What the schema of its revision says against the server's messages. */
export function schemaErrors({ traffic, revision }: TestClient): string[] {
  const methods = new Map<unknown, string>();
  return traffic.flatMap(({ from, text }) => {
    if (from === 'client') {
      remember(text, methods);
      return [];
    }
    const message = JSON.parse(text) as { id?: unknown } | { id?: unknown }[];
    return [message].flat().flatMap((one) => {
      const method = methods.get(one.id);
      return validateMessage(revision, one, { direction: 'server', ...(method !== undefined && { method }) });
    });
  });
}

/** Tests also send what no client should, so not all of it can be read. */
function remember(text: string, methods: Map<unknown, string>): void {
  try {
    const sent = JSON.parse(text) as { id?: unknown; method?: string } | { id?: unknown; method?: string }[];
    for (const { id, method } of [sent].flat()) if (method !== undefined) methods.set(id, method);
  } catch {
    // No request that could be answered with a typed result.
  }
}
