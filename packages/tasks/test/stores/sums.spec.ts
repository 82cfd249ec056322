/** What the slots of a cluster have together. */
import { ManualClock } from '@sigil-mcp/testing';
import { NOTHING, Sums, type SlotCount } from '../../src/stores/redis/slots';

/** Slots that have something, and how often each was asked. */
function slotsWith(counts: Readonly<Record<string, { unended: number; bytes: number }>>) {
  const asked: string[] = [];
  const count = (slot: string): Promise<SlotCount> => {
    asked.push(slot);
    return Promise.resolve({ ...NOTHING, ...counts[slot] });
  };
  return { asked, count };
}

it('is asked once a second while it is far from the limits, and each time from half of one of them on', async () => {
  const clock = new ManualClock();
  const sums = new Sums(clock);
  const counts = { a: { unended: 2, bytes: 10 }, b: { unended: 2, bytes: 39 } };
  const { asked, count } = slotsWith(counts);
  const far = { tasks: 10, bytes: 100 };
  const times = async (room: { tasks: number; bytes: number }): Promise<number> => {
    asked.length = 0;
    expect(await sums.of(['a', 'b'], room, count)).toMatchObject({
      unended: counts.a.unended + counts.b.unended,
      bytes: counts.a.bytes + counts.b.bytes,
    });
    return asked.length;
  };
  expect(await times(far)).toBe(2);
  expect(await times(far)).toBe(0);
  await clock.advance(1000);
  expect(await times(far)).toBe(0);
  await clock.advance(1);
  expect(await times(far)).toBe(2);
  expect(await times({ tasks: 8, bytes: 100 })).toBe(2);
  expect(await times({ tasks: 9, bytes: 98 })).toBe(2);
  expect(await times({ tasks: 9, bytes: 99 })).toBe(0);
  counts.b.bytes = 40;
  await clock.advance(2000);
  expect(await times(far)).toBe(2);
  expect(await times(far)).toBe(2);
  counts.b.bytes = 1;
  await clock.advance(2000);
  expect([await times(far), await times(far)]).toEqual([2, 0]);
  sums.forget();
  expect(await times(far)).toBe(2);
});

it('counts what slots answer late, as those of a busy Redis do', async () => {
  const clock = new ManualClock();
  const counts = { a: { unended: 2, bytes: 10 }, b: { unended: 3, bytes: 20 } };
  const { count } = slotsWith(counts);
  const late = async (slot: string): Promise<SlotCount> => {
    await clock.advance(2000);
    return count(slot);
  };
  expect(await new Sums(clock).of(['a', 'b'], { tasks: 10 }, late)).toMatchObject({ unended: 5, bytes: 30 });
});
