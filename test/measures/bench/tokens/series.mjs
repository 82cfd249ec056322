/** The series of requests that are compared: a call with a token against one without, a filtered list against one that is none. */
import { openSession, requestOf } from './requests.mjs';

export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const SCOPE = 'notes:read notes:write';
const HOUR = 3_600_000;
const CALL = { method: 'tools/call', params: { name: 'tool0' } };

/**
 * @param {object} id the issuer of the tokens
 * @param {number} port of the server
 * @param {number} count how many tokens are used for the first time in each series
 * @returns series, each with the requests that it takes in turns, and the names of those that it is compared with: `than`, and `floor`
 */
export async function seriesOf(id, port, count) {
  const tokenOf = (alg, sub = 'ada') => id.token({ alg, sub, scope: SCOPE, expiresIn: HOUR });
  const tokens = {
    tokenOf,
    many: (alg, subOf = () => 'ada') => Array.from({ length: count }, (_, index) => tokenOf(alg, subOf(index))),
  };
  const open = await openSession(port, { path: '/open' });
  const closed = await openSession(port, { path: '/closed', token: tokenOf('RS256') });
  return [
    ...callsPerRequest(tokens),
    ...callsInSession(tokens, open, closed),
    { name: 'list', requests: [requestOf({ ...LIST, path: '/list', token: tokenOf('RS256') })] },
    {
      name: 'filtered list',
      than: 'list',
      requests: [requestOf({ ...LIST, path: '/filtered-list', token: tokenOf('RS256') })],
    },
  ];
}

const LIST = { method: 'tools/list', params: {} };

function callsPerRequest({ tokenOf, many }) {
  const conversation = 'per request';
  const call = (token, path = '/closed') => requestOf({ ...CALL, path, token });
  const without = { name: 'without', requests: [call(undefined, '/open')] };
  const of = (alg) => {
    const common = { conversation, alg, than: without.name };
    const floor = `${alg}, signature`;
    return [
      { name: floor, requests: many(alg).map((token) => call(token, '/bare')), than: without.name },
      { name: `${alg}, first`, what: 'first use', requests: many(alg).map((token) => call(token)), ...common, floor },
      {
        name: `${alg}, first of others`,
        what: 'first use, other users',
        requests: many(alg, (index) => `user-${index}`).map((token) => call(token)),
        ...{ ...common, floor },
      },
      { name: `${alg}, next`, what: 'next use', requests: [call(tokenOf(alg))], ...common },
    ];
  };
  return [without, ...ALGORITHMS.flatMap(of)];
}

function callsInSession({ tokenOf, many }, open, closed) {
  const conversation = 'session';
  const call = (token, path = '/closed', session = closed) => requestOf({ ...CALL, path, token, session });
  const without = { name: 'session, without', requests: [call(undefined, '/open', open)] };
  const of = (alg) => {
    const common = { conversation, alg, than: without.name };
    return [
      { name: `session, ${alg}, first`, what: 'first use', requests: many(alg).map((token) => call(token)), ...common },
      { name: `session, ${alg}, next`, what: 'next use', requests: [call(tokenOf(alg))], ...common },
    ];
  };
  return [without, ...ALGORITHMS.flatMap(of)];
}
