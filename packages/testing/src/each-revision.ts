/** Runs the same test on every revision, and proves that it really ran there. */
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import { connect, type ConnectOptions, type Target } from './connect';
import type { TestClient } from './client/test-client';
import { testingError } from './errors';

/** One revision of a test, and the way to connect in it. */
export interface RevisionCase {
  /** The revision's date. */
  readonly revision: string;
  /** Connects a client of this revision; it is closed when the test has ended. */
  readonly connect: (target: Target, options?: Omit<ConnectOptions, 'revision'>) => Promise<TestClient>;
}

/** The revisions that a test runs on; all if left out. Dates compare as text. */
export interface RevisionRange {
  readonly since?: string;
  readonly until?: string;
}

/** The function that declares a test in jest and similar test runners. */
type DeclareTest = (title: string, run: () => Promise<void>) => void;

/**
 * Declares one test for each revision. It fails if it connects no client: a test that never spoke the revision proves
 * nothing about it.
 * @example
 * eachRevision('answers in Celsius', async ({ connect }) => {
 *   const client = await connect(server);
 *   expect(await client.callTool('forecast', { city: 'Oslo' })).toMatchObject({ isError: false });
 * });
 */
export function eachRevision(
  title: string,
  test: (context: RevisionCase) => void | Promise<void>,
  range: RevisionRange = {},
): void {
  for (const { version } of ALL_REVISIONS) {
    if (version < (range.since ?? '') || version > (range.until ?? '9')) continue;
    declareTest()(`${title} (${version})`, () => runCase(version, test));
  }
}

async function runCase(revision: string, test: (context: RevisionCase) => void | Promise<void>): Promise<void> {
  const opened: TestClient[] = [];
  const connectHere: RevisionCase['connect'] = async (target, options) => {
    const client = await connect(target, { ...options, revision });
    opened.push(client);
    return client;
  };
  try {
    await test({ revision, connect: connectHere });
    if (opened.length === 0) throw testingError('SIGIL_TEST_WITHOUT_CLIENT');
  } finally {
    await Promise.all(opened.map((client) => client.close()));
  }
}

function declareTest(): DeclareTest {
  // Test runners put `it` where the language has no type for it.
  const { it } = globalThis as { it?: DeclareTest };
  if (!it) throw testingError('SIGIL_TEST_WITHOUT_RUNNER', { what: 'eachRevision()' });
  return it;
}
