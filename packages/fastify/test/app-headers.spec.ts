/** An event stream has the headers that the app and its plugins have set. */
import Fastify, { type FastifyReply } from 'fastify';
import { AppHeaders } from '../src/endpoint/send-response';

type SetHeaders = (reply: FastifyReply) => void;

/** What is found on a reply, after one without headers was read. */
async function found(set: SetHeaders, disguise: SetHeaders = () => undefined): Promise<unknown[]> {
  const app = Fastify();
  const headers = new AppHeaders();
  const seen: unknown[] = [];
  app.addHook('onRequest', async (request, reply) => {
    disguise(reply);
    if (request.url === '/set') set(reply);
  });
  const read = async (_request: unknown, reply: FastifyReply): Promise<string> => {
    seen.push(headers.of(reply));
    return 'read';
  };
  app.get('/', read);
  app.get('/set', read);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  for (const path of ['/', '/set', '/', '/set']) {
    const response = await fetch(`${address}${path}`);
    expect([await response.text(), response.headers.get('x-sigil-place-of-headers')]).toEqual(['read', null]);
  }
  await app.close();
  return seen;
}

it.each<[string, SetHeaders, object]>([
  ['set on the reply', (reply) => void reply.header('x-own', 'one'), { 'x-own': 'one' }],
  ['set on the response of Node', ({ raw }) => void raw.setHeader('x-raw', 'two'), { 'x-raw': 'two' }],
  [
    'set on both, and more than once',
    (reply) => {
      reply.raw.setHeader('x-raw', 'two');
      void reply.header('set-cookie', 'a=1').header('set-cookie', 'b=2');
    },
    { 'x-raw': 'two', 'set-cookie': ['a=1', 'b=2'] },
  ],
])('reads headers that are %s, and nothing without any', async (_how, set, expected) => {
  expect(await found(set)).toEqual([undefined, expected, undefined, expected]);
});

it('reads them where Fastify has another place for them', async () => {
  const elsewhere = (reply: FastifyReply): void => {
    const [place] = Object.getOwnPropertySymbols(reply).filter(({ description }) => description?.includes('headers'));
    const moved = Symbol('fastify.reply.headers');
    // The first symbol with that name is one that nothing is written to.
    const own = reply as unknown as Record<symbol, unknown>;
    const kept = own[place as symbol];
    delete own[place as symbol];
    own[moved] = {};
    own[place as symbol] = kept;
  };
  const set: SetHeaders = (reply) => void reply.header('x-own', 'one');
  expect(await found(set, elsewhere)).toEqual([undefined, { 'x-own': 'one' }, undefined, { 'x-own': 'one' }]);
});
