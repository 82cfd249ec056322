/** The error behind a masked answer is found in the log of the server, which travels through another pipe. */
import { ManualClock } from '@sigil-mcp/testing';
import { ServerLog } from '../../src/session/server-log';

const ID = '5db73711-0000-4000-8000-000000000001';
const answer = `Internal error (id ${ID}). The server's log has the details under this id.`;
const entry = (id: string, err: object): string => JSON.stringify({ level: 'error', errorId: id, err });
const disk = { name: 'Error', message: 'the disk is full', stack: 'Error: the disk is full\n    at save (a.ts:1:1)' };

it('finds the error under the id of the answer, with its causes', async () => {
  const log = new ServerLog(new ManualClock());
  log.add('a line of another kind');
  log.add(entry(ID, { ...disk, cause: { name: 'TypeError', message: 'x', stack: 's', cause: { message: 'y' } } }));
  expect(await log.find(answer)).toEqual({
    ...disk,
    problems: [],
    causes: ['TypeError: x', 'Error: y'],
    causeStacks: ['s', ''],
  });
});

it('waits for an entry that comes after the answer, and not for ever', async () => {
  const clock = new ManualClock();
  const log = new ServerLog(clock);
  const late = log.find(answer);
  log.add(entry(ID, disk));
  expect(await late).toMatchObject({ message: 'the disk is full' });
  const never = log.find(answer.replace('5db73711', '00000000'));
  await clock.advance(500);
  expect([await never, clock.pending]).toEqual([undefined, 0]);
});

it('finds nothing for an answer without an id, or a line that is not an entry', async () => {
  const log = new ServerLog(new ManualClock());
  log.add(`{"errorId":"${ID}", broken`);
  log.add(JSON.stringify({ errorId: ID, err: 'text' }));
  expect(await log.find('There is no such note.')).toBeUndefined();
});

it('stores the last hundred errors', async () => {
  const clock = new ManualClock();
  const log = new ServerLog(clock);
  const idOf = (index: number): string => ID.replace(/.{3}$/, String(index).padStart(3, '0'));
  for (let index = 0; index <= 100; index++) log.add(entry(idOf(index), { ...disk, message: `error ${index}` }));
  const oldest = log.find(answer.replace(ID, idOf(0)));
  await clock.advance(500);
  expect(await oldest).toBeUndefined();
  expect(await log.find(answer.replace(ID, idOf(100)))).toMatchObject({ message: 'error 100' });
});
