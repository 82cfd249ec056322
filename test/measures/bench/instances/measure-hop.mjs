/** How long an answer takes that is posted to another instance than the one that has asked. */
import { openSession, post } from './requests.mjs';

const ROUNDS = 300;

/**
 * A tool asks again and again; the time is that from an answer to the next question. Answers go to both instances in turn, so that the
 * difference of the two is the way between them.
 * @returns the middle and the 99th of 100, in milliseconds: of answers to the instance that asks, to the other one, and of their difference
 */
export async function measureHop(asking, other) {
  const session = await openSession(asking);
  const call = { id: 1, method: 'tools/call', params: { name: 'ask' } };
  const response = await post(asking, call, session);
  const questions = readQuestions(response);
  const took = { [asking]: [], [other]: [] };
  let { value: id } = await questions.next();
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const to = round % 2 === 0 ? asking : other;
    const began = performance.now();
    const answered = post(to, { id, result: { action: 'accept', content: { word: 'yes' } } }, session);
    ({ value: id } = await questions.next());
    took[to].push(performance.now() - began);
    await (await answered).arrayBuffer();
  }
  await globalThis.fetch(`http://127.0.0.1:${asking}/mcp`, { method: 'DELETE', headers: session });
  const [same, elsewhere] = [took[asking], took[other]].map((times) => times.slice(20).sort((one, two) => one - two));
  return { same: at(same), elsewhere: at(elsewhere), between: elsewhere[middle(elsewhere)] - same[middle(same)] };
}

async function* readQuestions(response) {
  let rest = '';
  for await (const chunk of response.body) {
    rest += Buffer.from(chunk).toString();
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)).id;
  }
}

function at(times) {
  return { middle: times[middle(times)], late: times[Math.floor(times.length * 0.99)] };
}

function middle(times) {
  return Math.floor(times.length / 2);
}
