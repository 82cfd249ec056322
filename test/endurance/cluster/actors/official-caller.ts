/** Calls and is asked as applications do it: with the official clients, which come back for their streams by themselves. */
import { setTimeout as delay } from 'node:timers/promises';
import { Sights, type Connect, type Official } from '../clients/official-client';
import { reasonOf } from '../clients/send';
import type { Random } from '../../../support/random';
import type { World } from '../world';
import { rest, type Actor } from './actor';

/** An official client that connects again when its session is over. */
export function officialCaller(name: string, connect: Connect): Actor {
  return async (world, random) => {
    while (!world.over.aborted) {
      const since = world.timeline.now;
      const sights = new Sights();
      const client = await connect(world, sights, answer).catch(() => undefined);
      while (client && !world.over.aborted && sights.over === 0)
        await callOnce({ name, client, sights, world }, random);
      if (sights.over > 0) lose(world, name, since);
      await client?.close();
      if (!client) await delay(100);
    }
  };
}

/** A client and its world. */
interface Caller {
  readonly name: string;
  readonly client: Official;
  readonly sights: Sights;
  readonly world: World;
}

/** The question names the number that comes before. */
function answer(message: string): { readonly number: number; readonly sentAt: number } {
  const [, number] = /(\d+)\?$/.exec(message) ?? [];
  return { number: Number(number) + 1, sentAt: 0 };
}

async function callOnce({ name, client, sights, world }: Caller, random: Random): Promise<void> {
  const number = random.between(0, 1_000_000);
  const tool = random.chance(0.3) ? 'ask' : 'echo';
  const since = world.timeline.now;
  const before = { ...sights };
  try {
    const text = await client.call(tool, { number });
    world.ledger.count('calls answered');
    const isAnswer = isRight(tool, text, number);
    if (isAnswer && tool === 'ask') world.ledger.count('questions answered');
    // These clients send an answer once: it may be refused, or its connection break. And what was on its way is lost with the data.
    const isUndisturbed = sights.broken === before.broken && sights.refused === before.refused;
    if (!isAnswer && isUndisturbed && !world.timeline.emptied(since))
      world.ledger.break('wrong answers', `${name}: ${tool} of ${number}: "${text}"`);
  } catch (error) {
    enterFailure({ name, sights, world }, { tool, since, before, why: reasonOf(error) });
  }
  await rest(random);
}

function isRight(tool: string, text: string, number: number): boolean {
  return tool === 'echo' ? text === `echo ${number}` : text.startsWith(`{"number":${number},"answer":${number + 1},`);
}

/** A call that failed, and what its client had seen before it. */
interface Failure {
  readonly tool: string;
  readonly since: number;
  readonly before: Sights;
  readonly why: string;
}

function enterFailure({ name, sights, world }: Omit<Caller, 'client'>, { tool, since, before, why }: Failure): void {
  const { ledger, timeline, isCalm } = world;
  if (sights.over > before.over) return;
  if (sights.refused > before.refused) {
    ledger.count('calls refused with 503');
    if (!timeline.redisAway(since)) ledger.break('wrong answers', `${name}: ${tool} was refused with 503`);
  } else if (sights.broken > before.broken || (!isCalm && /terminated|socket|fetch failed|closed/i.test(why))) {
    ledger.count('calls whose connection broke');
    if (isCalm) ledger.break('calls without an outcome', `${name}: the connection of ${tool} broke: ${why}`);
  } else if (/timed? ?out/i.test(why)) {
    ledger.break('calls without an outcome', `${name}: ${tool} did not end`);
  } else {
    ledger.count('calls that ended with an error');
    if (!timeline.anything(since)) ledger.break('wrong answers', `${name}: ${tool} ended with ${why}`);
  }
}

function lose({ ledger, timeline }: World, name: string, since: number): void {
  if (timeline.emptied(since)) ledger.count('sessions renewed after Redis was emptied');
  else ledger.break('sessions lost', `of ${name}`);
}
