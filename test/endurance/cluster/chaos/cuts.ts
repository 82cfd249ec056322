/** Connections of streams break, or are dead without a word. */
import type { Chaos } from './chaos';
import { pause } from './pause';

const EVERY = 250;
/** Milliseconds for which a connection is dead before it breaks. */
const DEAD_FOR = 2000;
/** Of those that are harmed. */
const HALF_OPEN = 0.15;

/** Any stream, wherever it is. */
export const cuts: Chaos = async ({ proxy, world }, random, over) => {
  while (await pause(random.between(EVERY / 2, EVERY * 2), over)) {
    const victim = random.pick(proxy.streams);
    if (!victim) continue;
    if (random.chance(HALF_OPEN)) {
      victim.leave(DEAD_FOR);
      world.ledger.count('streams left half-open');
    } else {
      victim.cut();
      world.ledger.count('streams cut');
    }
  }
};
