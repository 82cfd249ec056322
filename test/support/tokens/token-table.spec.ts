/** Each kind of token on every way into an endpoint, on every revision: no way is forgotten, and none answers otherwise. */
import { openGuardedNotes, WANTED, type GuardedNotes } from './guarded-notes';
import { GOOD, GRANTS, REFUSED, type TokenRow } from './every-token';
import { everyWay, REVISIONS, type Way } from './every-way';

const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

let open: GuardedNotes;
beforeAll(async () => {
  open = await openGuardedNotes();
});
afterAll(() => open.close());

const good = (): string => GOOD.header(open.issuer) ?? '';
const onEveryWay = (revision: string, use: (way: Way) => Promise<void>): Promise<void> =>
  everyWay(open.url, revision, good(), use);

/** What every refusal has: one challenge, and a body that a client of JSON-RPC reads. */
async function expectRefused({ name, send }: Way, { header, status, error, why = '' }: TokenRow): Promise<void> {
  const seen = await send(header(open.issuer));
  const challenge = seen.challenge ?? '';
  expect([name, seen.status, challenge]).toEqual([name, status, expect.stringMatching(/^Bearer /)]);
  expect(challenge).toContain(`scope="notes:read", resource_metadata="${METADATA}"`);
  if (error === undefined) expect(challenge).not.toContain('error');
  else expect(challenge).toContain(`error="${error}", error_description="`);
  expect(challenge).toContain(why);
  expect(JSON.parse(seen.text)).toMatchObject({
    jsonrpc: '2.0',
    error: { message: expect.any(String) as string },
  });
}

describe.each(REVISIONS)('on every way of %s', (revision) => {
  it.each(REFUSED)('$title is answered with $status [AUTH-004, AUTH-005, AUTH-021, SEC-001, HTTP-006]', async (row) => {
    let ways = 0;
    await onEveryWay(revision, async (way) => {
      ways += 1;
      await expectRefused(way, row);
    });
    expect(ways).toBeGreaterThan(1);
  });

  it.each(GRANTS)(
    'a token with $title opens what it allows, and is told what else is needed [AUTH-014, AUTH-016, AUTH-017]',
    async ({ scope, has }) => {
      const header = `Bearer ${open.issuer.token({ scope })}`;
      await onEveryWay(revision, async ({ name, send }) => {
        const wanted = WANTED[name] ?? [];
        const { status, challenge, text } = await send(header);
        if (wanted.every((each) => has.includes(each))) {
          expect([name, status < 300, challenge]).toEqual([name, true, null]);
          return;
        }
        expect([name, status, challenge]).toEqual([
          name,
          403,
          `Bearer error="insufficient_scope", scope="${wanted.join(' ')}", resource_metadata="${METADATA}"`,
        ]);
        expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: 1, error: { data: { scope: wanted.join(' ') } } });
      });
    },
  );

  it('a good token is let in', async () => {
    await onEveryWay(revision, async ({ name, send }) => {
      const { status, text } = await send(good());
      const isIn = [200, 202, 204].includes(status);
      expect([name, isIn, text]).toEqual([name, true, expect.not.stringContaining('"error"')]);
    });
  });
});
