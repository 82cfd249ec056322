/** What outlives a request belongs to the principal who opened it: not to a token, and not to whoever knows its id. */
import { Caller, Feature, Tool, type Auth } from '@sigil-mcp/core';
import { request, serve, type HttpAnswer, type OpenServer } from './http-server';
import { until } from './raw-request';
import { revisionsOf } from '../../support/each-revision';

@Feature()
class Desk {
  @Tool('Says what the caller may')
  may({ scopes }: Caller): string {
    return scopes.join(' ');
  }
}

/** Tokens are `id~client~issuer~scope~number`: the number is what a refresh changes. */
const auth: Auth = {
  verify: (token) => {
    const [id = '', clientId, issuer, scope = ''] = token.split('~');
    return new Caller({ id, clientId, issuer, scopes: [scope] });
  },
};
const token = (text: string): { authorization: string } => ({ authorization: `Bearer ${text}` });
const ADA = 'ada~desktop~one~write~1';
const OTHERS = [
  ['another user', 'eve~desktop~one~write~1'],
  ['another client of the same user', 'ada~phone~one~write~1'],
  ['a user of the same id with another issuer', 'ada~desktop~two~write~1'],
] as const;

let open: OpenServer;
beforeEach(async () => void (open = await serve({ features: [Desk] }, { auth, sse: true })));
afterEach(() => open.close());

const call = request(2, 'tools/call', { name: 'may', arguments: {} });
const said = ({ messages }: HttpAnswer): unknown => messages[0]?.result?.['content'];

describe.each(revisionsOf({ since: '2025-03-26', until: '2025-11-25' }))('a session of %s', (version) => {
  const openSession = () => open.initialize(version, token(ADA));

  it.each(OTHERS)('does not exist for %s, with any method [SEC-002]', async (_who, other) => {
    const session = { ...(await openSession()), ...token(other) };
    const statuses = [
      (await open.post(call, session)).status,
      (await fetch(open.url, { headers: { ...session, accept: 'text/event-stream' } })).status,
      (await fetch(open.url, { method: 'DELETE', headers: session })).status,
    ];
    expect(statuses).toEqual([404, 404, 404]);
  });

  it('goes on with a refreshed token, and with no more than that one allows', async () => {
    const session = await openSession();
    expect(said(await open.post(call, session))).toMatchObject([{ text: 'write' }]);
    const refreshed = { ...session, ...token('ada~desktop~one~read~2') };
    expect(said(await open.post(call, refreshed))).toMatchObject([{ text: 'read' }]);
    expect((await fetch(open.url, { method: 'DELETE', headers: refreshed })).status).toBe(204);
  });
});

describe('a stream of HTTP+SSE', () => {
  it('is not there for others, and has the rights of the token that came last', async () => {
    const stream = await fetch(new URL('/sse', open.url), { headers: token(ADA) });
    let text = '';
    const reading = (async () => {
      for await (const chunk of stream.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    })().catch(() => undefined);
    await until(() => text.includes('sessionId='));
    const target = new URL(/data: (.*)/.exec(text)?.[1] ?? '', open.url);
    const post = async (body: object, who: string): Promise<number> => {
      const headers = { 'content-type': 'application/json', ...token(who) };
      return (await fetch(target, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    const hello = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    expect(await post(request(1, 'initialize', hello), ADA)).toBe(202);
    for (const [, other] of OTHERS) expect(await post(call, other)).toBe(404);
    expect(await post(call, 'ada~desktop~one~read~2')).toBe(202);
    await until(() => text.includes('"read"'));
    await open.close();
    await reading;
  });
});
