/** What a server says about asking, checked when it is defined. */
import { DefinitionError, MemoryTransport, createServer, type ServerOptions } from '@sigil-mcp/core';

const define = (options: Partial<ServerOptions>): unknown => {
  try {
    return createServer({ name: 'x', version: '1', logger: false, ...options });
  } catch (error) {
    return error;
  }
};
const codes = (outcome: unknown): unknown =>
  outcome instanceof DefinitionError ? outcome.problems.map(({ code }) => code) : outcome;

describe('createServer', () => {
  afterEach(() => delete process.env['SIGIL_SECRETS']);

  it.each([
    ['no secret', { requestState: { secrets: [] } }, 'SIGIL_WEAK_SECRETS'],
    ['a short secret', { requestState: { secrets: ['x'.repeat(32), 'short'] } }, 'SIGIL_WEAK_SECRETS'],
    ['a lifetime that is over', { requestState: { lifetime: 0 } }, 'SIGIL_REQUEST_STATE'],
    ['a length that nothing fits', { requestState: { maximum: -1 } }, 'SIGIL_REQUEST_STATE'],
    ['no time to answer', { answerTimeout: Number.NaN }, 'SIGIL_ANSWER_TIMEOUT'],
  ])('refuses %s, and says what to do', (_title, options, code) => {
    const outcome = define(options);
    expect(codes(outcome)).toEqual([code]);
    expect(String(outcome)).toMatch(code === 'SIGIL_WEAK_SECRETS' ? /randomBytes\(32\)/ : /more than 0|greater than 0/);
  });

  it('reads secrets from the environment at start, and refuses short ones there in one line', async () => {
    process.env['SIGIL_SECRETS'] = 'short';
    const server = createServer({ name: 'x', version: '1', logger: false });
    const failure = await server.listen(new MemoryTransport()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'SIGIL_SECRETS_VARIABLE' });
    expect((failure as Error).message).toMatch(
      /^The environment variable SIGIL_SECRETS has a secret of less than 32 .*$/,
    );
    await server.close();
    process.env['SIGIL_SECRETS'] = `${'a'.repeat(32)}, ${'b'.repeat(32)}`;
    expect(codes(define({}))).not.toBeInstanceOf(Error);
  });
});
