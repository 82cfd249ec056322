/** Commands of a store that fails are repeated, for as long as they make sense. */
import { ManualClock } from '@sigil-mcp/testing';
import { Patience } from '../src/worker/running-task';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('repeats a command until it succeeds, with waits that grow', async () => {
  const clock = new ManualClock();
  const times: number[] = [];
  const command = (): Promise<string> => {
    times.push(clock.elapsed());
    return times.length < 8 ? Promise.reject(new Error('away')) : Promise.resolve('there');
  };
  const result = new Patience(clock, () => false).with(command);
  const began = clock.elapsed();
  for (let step = 0; step < 200; step++) {
    await clock.advance(50);
    await turn();
  }
  expect(await result).toBe('there');
  expect(times.map((time) => time - began)).toEqual([0, 50, 150, 350, 750, 1550, 2550, 3550]);
});

it('rejects with the last error once no command makes sense any more', async () => {
  const clock = new ManualClock();
  let isOver = false;
  let tried = 0;
  const result = new Patience(clock, () => isOver).with(() => Promise.reject(new Error(`away ${++tried}`)));
  const failed = expect(result).rejects.toThrow('away 2');
  await turn();
  isOver = true;
  await clock.advance(50);
  await failed;
  await clock.advance(10_000);
  expect(tried).toBe(2);
});
