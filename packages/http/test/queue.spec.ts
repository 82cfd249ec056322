/** A queue whose members may leave from anywhere. */
import fc from 'fast-check';
import { Place, Queue } from '../src/sessions/queue';

describe('a queue', () => {
  it('keeps the order of a list, whatever is added, removed and moved to its end', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('add', 'remove', 'move'), fc.nat(20)), { maxLength: 100 });
    fc.assert(
      fc.property(steps, (taken) => {
        const queue = new Queue<number>();
        const places = Array.from({ length: 21 }, (_, value) => new Place(value));
        let list: number[] = [];
        for (const [step, value] of taken) {
          const place = places[value] ?? new Place(value);
          const isThere = list.includes(value);
          if (step === 'add' && isThere) continue;
          if (step === 'add') queue.add(place);
          if (step === 'move') queue.moveToEnd(place);
          if (step === 'remove') expect(queue.remove(place)).toBe(isThere);
          const rest = list.filter((other) => other !== value);
          list = step === 'add' || (step === 'move' && isThere) ? [...rest, value] : rest;
          expect([...queue]).toEqual(list);
          expect([queue.size, queue.first]).toEqual([list.length, list[0]]);
        }
      }),
    );
  });

  it('lets the value at hand leave while all are looked at', () => {
    const queue = new Queue<number>();
    const places = [1, 2, 3].map((value) => new Place(value));
    for (const place of places) queue.add(place);
    const seen: number[] = [];
    for (const value of queue) {
      seen.push(value);
      for (const place of places) if (place.value === value) queue.remove(place);
    }
    expect([seen, queue.size]).toEqual([[1, 2, 3], 0]);
  });
});
