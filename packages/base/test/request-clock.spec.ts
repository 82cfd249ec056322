/** Time on a platform that ends timers with the request that set them. */
import { RequestClock, afterTurn, type Clock, type Timer } from '@sigil-mcp/base';

/** A platform whose timers live as long as the request that set them. */
class Platform implements Clock {
  time = 0;
  #timers: { at: number; again: number; callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  elapsed(): number {
    return this.time;
  }

  after(milliseconds: number, callback: () => void): Timer {
    return this.#add({ at: this.time + milliseconds, again: Infinity, callback });
  }

  every(milliseconds: number, callback: () => void): Timer {
    return this.#add({ at: this.time + milliseconds, again: milliseconds, callback });
  }

  /** All requests end. */
  endRequests(): void {
    this.#timers = [];
  }

  advance(milliseconds: number): void {
    for (const end = this.time + milliseconds; this.time < end; this.time += 1)
      for (const timer of this.#timers.filter(({ at }) => at === this.time)) {
        timer.at += timer.again;
        timer.callback();
      }
  }

  #add(timer: { at: number; again: number; callback: () => void }): Timer {
    this.#timers.push(timer);
    const own: Timer = {
      unref: () => own,
      close: () => void (this.#timers = this.#timers.filter((one) => one !== timer)),
    };
    return own;
  }
}

const platform = new Platform();
const clock = new RequestClock(platform);
let calls = 0;
const call = (): void => void (calls += 1);
beforeEach(() => {
  calls = 0;
  platform.endRequests();
});

describe('a clock of requests', () => {
  it('calls back in time within a request', () => {
    clock.after(50, call);
    platform.advance(51);
    expect(calls).toBe(1);
    platform.advance(5000);
    expect(calls).toBe(1);
  });

  it('makes up for a call whose request has ended, once, when the next request comes', () => {
    clock.after(50, call);
    platform.endRequests();
    platform.advance(500);
    expect(calls).toBe(0);
    clock.attend()();
    clock.attend()();
    expect(calls).toBe(1);
  });

  it('calls again and again while a request is open, and once for all that it has missed', () => {
    const timer = clock.every(3000, call);
    platform.advance(20_000);
    expect(calls).toBe(0);
    const leave = clock.attend();
    expect(calls).toBe(1);
    platform.advance(9001);
    expect(calls).toBe(4);
    leave();
    platform.advance(9001);
    expect(calls).toBe(4);
    timer.close();
    clock.attend()();
    expect(calls).toBe(4);
  });

  it('calls once for each interval, however many requests are open', () => {
    const timer = clock.every(2000, call);
    const leave = [clock.attend(), clock.attend(), clock.attend()];
    platform.advance(6001);
    expect(calls).toBe(3);
    for (const each of leave) each();
    timer.close();
  });

  it('calls nobody who has closed the timer', () => {
    clock.after(10, call).close();
    clock.every(10, call).unref().close();
    platform.advance(20);
    clock.attend()();
    expect(calls).toBe(0);
  });

  it('calls after the turn of a request that has ended with it', () => {
    afterTurn(clock, call);
    platform.endRequests();
    platform.advance(1);
    clock.attend()();
    expect(calls).toBe(1);
  });
});
