import type { ErrorName } from '@sigil-mcp/protocol';
import {
  ALL_REVISIONS,
  ERROR_CODES,
  HANDSHAKE_REVISIONS,
  InvalidArguments,
  META_KEYS,
  NEWEST_PER_REQUEST_REVISION,
  ProtocolError,
} from '@sigil-mcp/protocol';
import { server } from './rich-values';

const codes = (error: ErrorName | number) =>
  ALL_REVISIONS.map((revision) => revision.writeError(new ProtocolError(error, 'no')).code);

describe('an error', () => {
  it.each([
    ['parse-error', -32700],
    ['invalid-request', -32600],
    ['method-not-found', -32601],
    ['invalid-params', -32602],
    ['internal-error', -32603],
  ] as const)('numbers %s alike everywhere', (name, code) => {
    expect(codes(name)).toEqual(Array(5).fill(code));
  });

  it('numbers a missing resource -32002 before 2026-07-28 and -32602 there [RSRC-005] [RSRC-006] [BASE-023]', () => {
    expect(codes('resource-not-found')).toEqual([-32002, -32002, -32002, -32002, -32602]);
  });

  it('keeps what the error says about the resource [RSRC-007]', () => {
    const error = new ProtocolError('resource-not-found', 'Unknown resource', { uri: 'a:b' });
    expect(NEWEST_PER_REQUEST_REVISION.writeError(error)).toEqual({
      code: -32602,
      message: 'Unknown resource',
      data: { uri: 'a:b' },
    });
  });

  it('numbers what only 2026-07-28 names by the nearest older word [BASE-022]', () => {
    expect(codes('header-mismatch')).toEqual([-32600, -32600, -32600, -32600, -32020]);
    expect(codes('missing-client-capability')).toEqual([-32602, -32602, -32602, -32602, -32021]);
    expect(codes('unsupported-protocol-version')).toEqual([-32602, -32602, -32602, -32602, -32022]);
  });

  it('speaks the numbers of the catalogue in the newest revision', () => {
    for (const [name, code] of Object.entries(ERROR_CODES)) expect(codes(name as ErrorName).at(-1)).toBe(code);
  });

  it('passes the numbers of applications on, outside the reserved range [BASE-024]', () => {
    expect(codes(1001)).toEqual(Array(5).fill(1001));
    expect(codes(-31999)).toEqual(Array(5).fill(-31999));
    expect(codes(-32602)).toEqual(Array(5).fill(-32602));
  });

  it('writes neither fractions nor reserved numbers of no meaning [BASE-006] [BASE-021] [BASE-022]', () => {
    for (const number of [-32000, -32001, -32042, -32099, 1.5, Number.NaN]) {
      expect(codes(number)).toEqual(Array(5).fill(-32603));
    }
    expect(codes(-32002).at(-1)).toBe(-32603);
  });

  it('is the same where a server answers with it [BASE-006]', () => {
    const error = new ProtocolError('resource-not-found', 'no', { uri: 'a' });
    for (const revision of ALL_REVISIONS) {
      const failure = revision.writerFor(server).writeFailure(error, 'resources/read');
      expect(failure).toEqual({ error: revision.writeError(error) });
    }
  });
});

describe('the writer of a server', () => {
  it('is made once, and says whose it is', () => {
    const other = { name: 'other', version: '2.0.0' };
    const written = [server, other].map((each) =>
      NEWEST_PER_REQUEST_REVISION.writerFor(each).writeResult('tools/list', { tools: [] }),
    );
    expect(written.map(({ _meta }) => _meta)).toEqual([
      { [META_KEYS.serverInfo]: server },
      { [META_KEYS.serverInfo]: other },
    ]);
    for (const revision of ALL_REVISIONS) expect(revision.writerFor(server)).toBe(revision.writerFor(server));
  });

  it('reports invalid tool arguments as an error until 2025-06-18 [TOOL-020]', () => {
    const failure = { error: { code: -32602, message: 'city must be a string' } };
    for (const revision of HANDSHAKE_REVISIONS.slice(0, 3)) {
      expect(
        revision.writerFor(server).writeFailure(new InvalidArguments('city must be a string'), 'tools/call'),
      ).toEqual(failure);
    }
  });

  it('reports invalid tool arguments as a result from 2025-11-25 on [TOOL-021]', () => {
    const result = { content: [{ type: 'text', text: 'city must be a string' }], isError: true };
    const write = (index: number) =>
      ALL_REVISIONS[index]!.writerFor(server).writeFailure(new InvalidArguments('city must be a string'), 'tools/call');
    expect(write(3)).toEqual({ result });
    expect(write(4)).toEqual({
      result: { ...result, resultType: 'complete', _meta: { [META_KEYS.serverInfo]: server } },
    });
  });

  it('reports a malformed tools/call, and invalid arguments of anything else, as an error [TOOL-022]', () => {
    for (const revision of ALL_REVISIONS) {
      expect(
        revision.writerFor(server).writeFailure(new ProtocolError('invalid-params', 'no'), 'tools/call').error?.code,
      ).toBe(-32602);
      expect(revision.writerFor(server).writeFailure(new InvalidArguments('no'), 'prompts/get').error?.code).toBe(
        -32602,
      );
    }
  });
});
