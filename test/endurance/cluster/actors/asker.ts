/** Is asked in the middle of its calls; its answers go to whichever process is next, and have to reach the one that asked. */
import type { Message } from '../../../support/transcript';
import { textOf } from '../clients/exchange';
import { RawClient } from '../clients/raw-client';
import type { Random } from '../../../support/random';
import type { World } from '../world';
import { rest, type Actor } from './actor';

/** What the tool says of its question. */
interface Asked {
  readonly number: number;
  readonly answer: number;
  /** From the client's sending of the answer to the tool's getting it. */
  readonly milliseconds: number;
}

/** Answers each question with the number that follows. */
export const asker: Actor = async (world, random) => {
  const client = new RawClient(world, { name: 'asker', capabilities: { elicitation: {} } });
  while (!world.over.aborted) {
    if ((await client.ready()) === undefined) break;
    await askOnce(client, world, random);
    await rest(random);
  }
  await client.end();
};

async function askOnce(client: RawClient, world: World, random: Random): Promise<void> {
  const number = random.between(0, 1_000_000);
  const since = world.timeline.now;
  let answered: Promise<number | undefined> | undefined;
  const onMessage = ({ method, id, params }: Message): void => {
    if (method !== 'elicitation/create') return;
    const { message } = params as { readonly message: string };
    if (message !== `What follows ${number}?`)
      world.ledger.break('wrong answers', `"${message}" was asked for ${number}`);
    const sentAt = Number(process.hrtime.bigint()) / 1e6;
    const result = { action: 'accept', content: { number: number + 1, sentAt } };
    answered = client.tell({ jsonrpc: '2.0', id, result });
  };
  const outcome = await client.call('ask', { number }, { onMessage });
  const lane = await answered;
  if (outcome.kind !== 'result') return;
  const text = textOf(outcome.result);
  if (isRight(text, number)) enterAnswer(world, text, lane !== outcome.lane);
  // What was on its way is lost with the data.
  else if (!world.timeline.emptied(since))
    world.ledger.break('wrong answers', `"${text}" (asked by process ${outcome.lane}, answered at ${lane ?? 'none'})`);
}

function isRight(text: string, number: number): boolean {
  if (!text.startsWith('{')) return false;
  const asked = JSON.parse(text) as Asked;
  return asked.number === number && asked.answer === number + 1;
}

function enterAnswer({ ledger }: World, text: string, isRelayed: boolean): void {
  ledger.count('questions answered');
  if (!isRelayed) return;
  ledger.count('questions answered at another process');
  ledger.hop((JSON.parse(text) as Asked).milliseconds);
}
