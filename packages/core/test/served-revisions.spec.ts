/** `createServer({ revisions })`: compiled ones, each once, at least one for each way of meeting a client. */
import {
  ALL_REVISIONS,
  ALL_RULES,
  HANDSHAKE_REVISIONS,
  NEWEST_HANDSHAKE_REVISION,
  NEWEST_PER_REQUEST_REVISION,
  PER_REQUEST_REVISIONS,
  compileRevision,
  extendRevision,
} from '@sigil-mcp/protocol';
import fc from 'fast-check';
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
  problem: `it serves no revision of the ${kind} kind.`,
  fix: expect.stringContaining('Serve at least one') as unknown,
});

/** What nobody could write in TypeScript, whose types say what revisions are. */
const problemsOfAny = (revisions: unknown): unknown => problemsOf({ revisions } as Partial<ServerOptions>);

const invalid = (problem: string) => ({
  code: 'SIGIL_REVISION_INVALID',
  where: 'createServer({ revisions })',
  problem,
  fix: expect.stringContaining('compileRevision()') as unknown,
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

  it.each([
    ['null', null],
    ['a function', () => ALL_REVISIONS],
    ['"2025-06-18"', '2025-06-18'],
    ['an object of Set', new Set(ALL_REVISIONS)],
    ['an object', NEWEST_HANDSHAKE_REVISION],
  ])('is not defined with %s in place of an array of revisions', (name, revisions) => {
    expect(problemsOfAny(revisions)).toEqual([invalid(`${name} is not an array of revisions.`)]);
  });

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['"2025-06-18"', '2025-06-18'],
    ['an array', [...ALL_REVISIONS]],
    ['an object', { ...NEWEST_HANDSHAKE_REVISION, version: 5 }],
    ['an object', { ...NEWEST_HANDSHAKE_REVISION, version: 'zz' }],
    ['an object', { ...NEWEST_HANDSHAKE_REVISION, lifecycle: 'both' }],
    ['an object', { ...NEWEST_HANDSHAKE_REVISION, http: undefined }],
    ['an object', { ...NEWEST_HANDSHAKE_REVISION, http: null }],
    ['an object', { ...NEWEST_HANDSHAKE_REVISION, readRetry: undefined }],
    ['an object', { ...NEWEST_HANDSHAKE_REVISION, notifications: {} }],
    ['an object', { ...NEWEST_HANDSHAKE_REVISION, requests: new Set([Symbol('ping')]) }],
  ])('is not defined with %s among its revisions (case %#)', (name, revision) => {
    expect(problemsOfAny([...ALL_REVISIONS, revision])).toEqual([invalid(`revisions[5] (${name}) is not a revision.`)]);
  });

  it('is told of each of them, holes and rules that were not compiled as well', () => {
    expect(problemsOfAny(ALL_RULES)).toEqual(
      ALL_RULES.map((_, at) => invalid(`revisions[${at}] (an object) is not a revision.`)),
    );
    const sparse: unknown[] = [...ALL_REVISIONS];
    sparse[6] = null;
    expect(problemsOfAny(sparse)).toEqual([
      invalid('revisions[5] (undefined) is not a revision.'),
      invalid('revisions[6] (null) is not a revision.'),
    ]);
  });

  it('is not defined with two revisions of the same date', () => {
    const twice = (version: string) => ({
      code: 'SIGIL_REVISION_TWICE',
      problem: `it serves ${version} more than once.`,
    });
    const { version } = NEWEST_PER_REQUEST_REVISION;
    const own = compileRevision(extendRevision(ALL_RULES.at(-1)!, { version }));
    expect(problemsOf({ revisions: [...ALL_REVISIONS, own, own] })).toMatchObject([twice(version)]);
    expect(problemsOf({ revisions: [own, own] })).toMatchObject([twice(version), missing('handshake')]);
  });

  it('throws nothing but definition errors for whatever it is given', () => {
    const anything = fc.anything({ withSparseArray: true, withNullPrototype: true, withBigInt: true, withSet: true });
    const members = fc.oneof(
      anything,
      fc.constantFrom(...ALL_REVISIONS, ...ALL_RULES),
      fc
        .tuple(fc.constantFrom(...ALL_REVISIONS), fc.constantFrom(...Object.keys(ALL_REVISIONS[0]!)), anything)
        .map(([revision, name, value]) => ({ ...revision, [name]: value })),
    );
    fc.assert(
      fc.property(fc.oneof(anything, fc.array(members)), (revisions) => {
        expect(problemsOfAny(revisions)).toBeInstanceOf(Array);
      }),
    );
  });
});
