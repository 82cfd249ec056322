/** The one way to count what clients hold: of each and of all, given back once. */
import fc from 'fast-check';
import { Budget } from '../src/limits/budget';

describe('a budget', () => {
  it('counts what each key takes, and what all of them have', () => {
    const budget = new Budget<string>();
    budget.take('anna', 3);
    budget.take('anna');
    budget.take('ben', 2);
    expect([budget.of('anna'), budget.of('ben'), budget.of('carl'), budget.all, budget.size]).toEqual([4, 2, 0, 6, 2]);
  });

  it('gets each amount back once, however often that is said', () => {
    const budget = new Budget<string>();
    const [giveBack] = [budget.take('anna', 3), budget.take('anna', 2)];
    giveBack();
    giveBack();
    expect([budget.of('anna'), budget.all]).toEqual([2, 2]);
  });

  it('forgets a key that holds nothing any more, in whatever order that comes about', () => {
    const amounts = fc.array(fc.tuple(fc.constantFrom('anna', 'ben', 'carl'), fc.integer({ min: 0, max: 9 })));
    fc.assert(
      fc.property(amounts, fc.infiniteStream(fc.nat()), (taken, order) => {
        const budget = new Budget<string>();
        const held = taken.map(([key, amount]) => ({ key, amount, giveBack: budget.take(key, amount) }));
        while (held.length > 0) {
          const [one] = held.splice((order.next().value as number) % held.length, 1);
          one?.giveBack();
          expect(budget.all).toBe(held.reduce((sum, { amount }) => sum + amount, 0));
          expect(budget.size).toBe(new Set(held.flatMap(({ key, amount }) => (amount > 0 ? [key] : []))).size);
        }
      }),
    );
  });
});
