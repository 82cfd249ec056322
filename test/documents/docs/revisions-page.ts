/**
 * `docs/reference/revisions.md`: what a client of each revision sees of each feature. A client of each asks the same server over memory, and
 * what came back is told; what belongs to HTTP is what the adapter reads of the revision. `npm run reference` writes the page.
 */
import { ALL_REVISIONS, type Revision } from '@sigil-mcp/protocol';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { answerOf, probedServer } from './probed-server';
import { PROBES, type Probes } from './revision-probes';

const INTRODUCTION = `---
keywords: [protocol version, protocol versions, revision, revisions, compatibility, 2025-06-18, 2025-11-25, 2026-07-28, which clients]
---

# Revisions and features

<!-- Written by \`npm run reference\` from what a client of each revision is answered. -->

One server serves clients of all five revisions of the protocol, at the same time, and its code sees no difference. The tables show what
each of them sees. A dash means that the revision does not have the feature.
`;

/** The page as it should be. */
export async function writeRevisionsPage(): Promise<string> {
  const server = probedServer();
  const clients = await Promise.all(
    ALL_REVISIONS.map(async (revision) => {
      const client = await connect(server, { revision: revision.version, answers: answerOf });
      return { client, revision };
    }),
  );
  const tables: string[] = [];
  for (const probes of PROBES) tables.push(await writeTable(probes, clients));
  await Promise.all(clients.map(({ client }) => client.close()));
  await server.close();
  return [INTRODUCTION, ...tables].join('\n');
}

async function writeTable(
  { title, about, rows }: Probes,
  clients: readonly { readonly client: TestClient; readonly revision: Revision }[],
): Promise<string> {
  const lines: string[] = [];
  for (const [feature, probe] of Object.entries(rows)) {
    const cells: string[] = [];
    // One after the other: each looks at what has travelled so far.
    for (const { client, revision } of clients) cells.push(await probe(client, revision));
    lines.push(`| ${[feature, ...cells].join(' | ')} |`);
  }
  const head = `| | ${clients.map(({ revision }) => revision.version).join(' | ')} |`;
  const rule = `| --- |${clients.map(() => ' --- |').join('')}`;
  return [`## ${title}\n`, ...(about === '' ? [] : [`${about}\n`]), head, rule, ...lines, ''].join('\n');
}
