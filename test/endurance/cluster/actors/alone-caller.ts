/** Calls in the revision without sessions: each request says everything itself, and any process answers it. */
import { ALONE_META, type Message } from '../../../support/transcript';
import { aloneHeaders } from '../clients/alone-headers';
import { enter, textOf, type Outcome } from '../clients/outcome';
import { reasonOf, send } from '../clients/send';
import type { World } from '../world';
import { rest, type Actor } from './actor';
import { until } from '../until';

/** Calls a tool once, and enters the outcome into the book. */
export async function callAlone(world: World, name: string, args: object): Promise<Outcome> {
  const since = world.timeline.now;
  const signal = until(world.patience);
  const params = { name, arguments: args, _meta: ALONE_META };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const arrival = await send(world, { message, headers: aloneHeaders('tools/call', name), signal });
  const lanes = arrival.kind === 'response' ? [arrival.lane] : [];
  const outcome = arrival.kind === 'response' ? await outcomeOf(arrival.response, arrival.lane) : notAnswered(arrival);
  enter(world, { what: `call of ${name} that stands alone`, since, lanes }, outcome);
  return outcome;
}

function notAnswered(arrival: { kind: 'broken'; why: string } | { kind: 'late' }): Outcome {
  return arrival.kind === 'late' ? { kind: 'none' } : arrival;
}

async function outcomeOf(response: Response, lane: number): Promise<Outcome> {
  try {
    const text = await response.text();
    if (response.status !== 200) return { kind: 'error', code: response.status, why: text };
    const { result, error } = JSON.parse(text) as { result?: Message; error?: { code: number; message: string } };
    return result ? { kind: 'result', result, lane } : { kind: 'error', code: error?.code, why: error?.message ?? '' };
  } catch (error) {
    return { kind: 'broken', why: reasonOf(error) };
  }
}

/** Calls with numbers. */
export const aloneCaller: Actor = async (world, random) => {
  while (!world.over.aborted) {
    const number = random.between(0, 1_000_000);
    const outcome = await callAlone(world, 'echo', { number });
    const text = outcome.kind === 'result' ? textOf(outcome.result) : `echo ${number}`;
    if (text !== `echo ${number}`) world.ledger.break('wrong answers', `echo of ${number} was answered with "${text}"`);
    await rest(random);
  }
};
