/** Requests carry the token of the user, only to the server that it is for, and a challenge leads to one sign-in. */
import { CommandCredentials } from '../../src/sign-in/credentials';
import { demandOf, signedFetch } from '../../src/sign-in/signed-fetch';

const url = new URL('http://mcp.example.com/mcp');

/** A server that accepts one token, and notes what it was sent. */
function serverFor(accepted: string) {
  const sent: (string | null)[] = [];
  const answer: typeof fetch = (_input, init) => {
    const token = new Headers(init?.headers).get('authorization');
    sent.push(token);
    if (token === `Bearer ${accepted}`) return Promise.resolve(new Response('{}'));
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
    return Promise.resolve(new Response('', { status: 401, headers }));
  };
  return { sent, answer };
}

/** A user who signs in and gets this token. */
function userOf(credentials: CommandCredentials, token: string) {
  const signIns: unknown[] = [];
  const signIn = (challenge: unknown): Promise<void> => {
    signIns.push(challenge);
    return new Promise((resolve) =>
      setImmediate(() => {
        credentials.state.tokens = { access_token: token, token_type: 'Bearer' };
        resolve();
      }),
    );
  };
  return { signIns, signIn };
}

it('signs in at the first challenge, once for requests that are sent together, and repeats them', async () => {
  const credentials = new CommandCredentials({}, {});
  const { sent, answer } = serverFor('good');
  const { signIns, signIn } = userOf(credentials, 'good');
  const request = signedFetch(answer, { credentials, url, signIn });
  const answers = await Promise.all([request(url), request(url)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(signIns).toHaveLength(1);
  expect(sent).toEqual([null, null, 'Bearer good', 'Bearer good']);
});

it('gives up after two sign-ins that change nothing', async () => {
  const credentials = new CommandCredentials({}, {});
  const { sent, answer } = serverFor('another');
  const { signIns, signIn } = userOf(credentials, 'wrong');
  const { status } = await signedFetch(answer, { credentials, url, signIn })(url);
  expect([status, signIns.length, sent.length]).toEqual([401, 2, 3]);
});

it('does not sign in over a token that the user chose, or where nobody can sign in', async () => {
  const { answer } = serverFor('good');
  const given = new CommandCredentials({ token: 'chosen' }, {});
  const { signIns, signIn } = userOf(given, 'good');
  expect((await signedFetch(answer, { credentials: given, url, signIn })(url)).status).toBe(401);
  const nobody = new CommandCredentials({}, {});
  expect((await signedFetch(answer, { credentials: nobody, url, signIn: undefined })(url)).status).toBe(401);
  expect(signIns).toEqual([]);
});

it('sends the token to no other server, and leaves a header of the user as it is', async () => {
  const credentials = new CommandCredentials({ token: 'secret' }, {});
  const { sent, answer } = serverFor('secret');
  const request = signedFetch(answer, { credentials, url, signIn: undefined });
  await request('https://id.example.com/token');
  await request(url, { headers: { authorization: 'Basic abc' } });
  await request(new Request(url));
  expect(sent).toEqual([null, 'Basic abc', 'Bearer secret']);
});

it.each([
  [401, 'Bearer', true],
  [401, 'Bearer error="invalid_token"', true],
  [401, 'Basic realm="x"', false],
  [401, undefined, false],
  [403, 'Bearer error="insufficient_scope", scope="a"', true],
  [403, 'Bearer error="access_denied"', false],
  [500, 'Bearer', false],
])('%d with the challenge %s can be solved by a sign-in: %s', (status, challenge, expected) => {
  const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
  expect(demandOf(new Response('', { status, headers })) !== undefined).toBe(expected);
});
