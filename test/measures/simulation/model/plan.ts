/** Which operation comes when, and where: the same plan can be played by the model and with real requests. */
import { OPERATIONS, type Operation } from './costs';
import { Random, spread } from './random';
import type { Scenario } from './scenario';

/** An operation of the plan. */
export interface Planned {
  /** Seconds from the beginning. */
  readonly time: number;
  readonly operation: Operation;
  readonly session: number;
  /** The instance that serves it. */
  readonly server: number;
  /** The instance that has the stream of the session, and runs its longer calls. */
  readonly other: number;
}

/** Operations that are done where the stream is. */
const AT_HOLDER: ReadonlySet<Operation> = new Set(['open a stream of changes', 'renew a stream', 'look at a resource']);

/** Independent operations with the rates of a scenario, in the order of their times. */
export function* planOf({ rates, seconds, instances, sessions, seed }: Scenario): Generator<Planned> {
  const random = new Random(seed);
  const shares = OPERATIONS.map((operation) => [operation, rates[operation] ?? 0] as const);
  const whole = shares.reduce((sum, [, rate]) => sum + rate, 0);
  if (whole <= 0) return;
  for (let time = random.wait(whole); time <= seconds; time += random.wait(whole)) {
    let left = random.next() * whole;
    const [operation] = shares.find(([, rate]) => (left -= rate) < 0) ?? [OPERATIONS[0]];
    yield { time, operation, ...partsOf(operation, random.below(sessions), random, instances) };
  }
}

/** A number of operations at the same distances. */
export function evenly(
  operation: Operation,
  count: number,
  { seconds, instances, sessions, seed }: Scenario,
): Planned[] {
  const random = new Random(seed + OPERATIONS.indexOf(operation) + 1);
  return Array.from({ length: count }, (_, index) => ({
    time: ((index + 0.5) * seconds) / count,
    operation,
    ...partsOf(operation, index % sessions, random, instances),
  }));
}

/** The instance that has the stream of a session. */
export function holderOf(session: number, instances: number): number {
  return spread(session, instances);
}

/** A request goes to any instance but the one with the stream. */
function partsOf(
  operation: Operation,
  session: number,
  random: Random,
  instances: number,
): Omit<Planned, 'time' | 'operation'> {
  const other = holderOf(session, instances);
  if (AT_HOLDER.has(operation) || instances === 1) return { session, server: other, other };
  return { session, server: (other + 1 + random.below(instances - 1)) % instances, other };
}
