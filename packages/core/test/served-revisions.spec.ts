/** `createServer({ revisions })`: at least one for each way of meeting a client. */
import { HANDSHAKE_REVISIONS, PER_REQUEST_REVISIONS } from '@sigil-mcp/protocol';
import { DefinitionError, createServer, type ServerOptions } from '../src';

const problemsOf = (options: Partial<ServerOptions>): unknown => {
  try {
    createServer({ name: 'narrow', version: '1.0.0', logger: false, ...options });
    return [];
  } catch (error) {
    return error instanceof DefinitionError ? error.problems : error;
  }
};

const missing = (kind: string) => ({
  code: 'SIGIL_REVISIONS',
  where: 'createServer({ revisions })',
  what: `it serves no revision of the ${kind} kind.`,
  mend: expect.stringContaining('Serve at least one') as unknown,
});

describe('a server', () => {
  it('may serve one revision of each kind', () => {
    expect(problemsOf({ revisions: [PER_REQUEST_REVISIONS[0]!, HANDSHAKE_REVISIONS[0]!] })).toEqual([]);
  });

  it('is not defined without a revision that shakes hands, or without one that does not', () => {
    expect(problemsOf({ revisions: PER_REQUEST_REVISIONS })).toEqual([missing('handshake')]);
    expect(problemsOf({ revisions: HANDSHAKE_REVISIONS })).toEqual([missing('per-request')]);
    expect(problemsOf({ revisions: [] })).toEqual([missing('handshake'), missing('per-request')]);
  });

  it('is told so together with everything else', () => {
    expect(problemsOf({ toolTimeout: 0, revisions: HANDSHAKE_REVISIONS })).toMatchObject([
      { code: 'SIGIL_TOOL_TIMEOUT' },
      { code: 'SIGIL_REVISIONS' },
    ]);
  });
});
