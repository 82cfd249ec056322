/** The model of many instances: against what can be computed by hand, what must hold for any numbers, and what the page says of it. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  OPERATIONS,
  ROLES,
  type Costs,
  type NodeCost,
  type Operation,
  type OperationCost,
  type RoleCost,
} from './model/costs';
import { attribute } from './measure/attribute';
import { TOPIC_SLOTS } from './measure/redis-cluster';
import { measureTasks } from './measure/measure-tasks';
import { nextTopic, slotOfTopic } from './measure/topic-slot';
import { withCpuOf } from './measure/fleet';
import { EventQueue, spread, timeUntilNext } from './model/event-queue';
import { Random } from '../../support/random';
import { LOOK, ORDINARY, ratesOf, type Scenario, evenly, planOf } from './model/scenario';
import { Simulation, type Outcome } from './model/simulate';
import { mostTasks, TASK_OPERATIONS, workOf, type NodeWork, type TaskCosts } from './model/tasks';
import { isWrong, type CheckedSize } from './report/tables';
import { drawScale } from './report/draw-scale';
import { writePage } from './report/write-page';
import { limitsReached } from './report/limits';
import { playSizes, simulateAll } from './report/play-sizes';
import { describeWith } from '../../support/supplies/supply';

const NOTHING: RoleCost = { cpu: 0, sent: 0, nodes: [], heard: [] };
const FREE: OperationCost = { server: NOTHING, other: NOTHING, every: NOTHING, listener: 0, memory: 0, names: {} };
const BUS = { bytes: 2000, send: 1, receive: 2, push: 0.5, gossip: 0, unused: 0, unusedReplica: 0 };
const COMMAND: NodeCost = {
  place: 'session',
  commands: 1,
  publishes: 0,
  shardPublishes: 0,
  bytesIn: 100,
  bytesOut: 300,
  cpu: 10,
  replica: { commands: 1, bytes: 50, cpu: 5 },
};
const roleOf = (cpu: number, ...nodes: readonly NodeCost[]): RoleCost => ({
  ...NOTHING,
  cpu,
  sent: nodes.length,
  nodes,
});

const costsOf = (some: Partial<Record<Operation, Partial<OperationCost>>>): Costs => ({
  measured: { sigil: '', node: '', redis: '', client: '', instances: 3, nodes: 6, times: 1 },
  bus: BUS,
  operations: Object.fromEntries(
    OPERATIONS.map((operation) => [operation, { ...FREE, ...some[operation] }]),
  ) as unknown as Costs['operations'],
});
const scenarioOf = (more: Partial<Scenario>): Scenario => ({
  instances: 4,
  shards: 2,
  sessions: 10_000,
  listeners: 10_000,
  subscribed: 2,
  rates: {},
  network: 0.0001,
  seconds: 5,
  seed: 1,
  ...more,
});
/** Plays so many operations of one kind a second, at even distances. */
const play = (
  operation: Operation,
  cost: Partial<OperationCost>,
  rate: number,
  more: Partial<Scenario> = {},
): Outcome => {
  const scenario = scenarioOf(more);
  const plan = evenly(operation, rate * scenario.seconds, scenario);
  return new Simulation(costsOf({ [operation]: cost }), scenario, plan).run();
};
const near = (figure: number): unknown => expect.closeTo(figure, 3) as unknown;
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(__dirname, name), 'utf8'));
const docs = join(__dirname, '..', '..', '..', 'docs');

describe('the parts of the model', () => {
  it('plays events in the order of their times, and those of one time in the order in which they were added', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
        const queue = new EventQueue();
        const played: (readonly [number, number])[] = [];
        times.forEach((time, index) => queue.add(time, () => played.push([time, index])));
        queue.runUntil(20);
        const expected = times.map((time, index) => [time, index] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(played).toEqual(expected);
      }),
    );
  });

  it('spreads keys evenly over nodes', () => {
    const counts = new Array<number>(6).fill(0);
    for (let key = 0; key < 60_000; key++) counts[spread(key, 6)]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(9_500);
    expect(Math.max(...counts)).toBeLessThan(10_500);
  });

  it('waits for random times whose mean is that of the rate', () => {
    const random = new Random(7);
    const times = Array.from({ length: 100_000 }, () => timeUntilNext(random, 50));
    expect(times.reduce((sum, time) => sum + time, 0) / times.length).toBeCloseTo(0.02, 3);
  });

  it('plans operations with their rates, in order, at another instance than the one with the stream', () => {
    const rates = { call: 900, 'renew a stream': 100 } as const;
    const plan = [...planOf(scenarioOf({ rates, seconds: 10 }))];
    const renewals = plan.filter(({ operation }) => operation === 'renew a stream');
    expect(plan.length / 10_000).toBeCloseTo(1, 1);
    expect(renewals.length / 1000).toBeCloseTo(1, 0);
    expect(plan.map(({ time }) => time)).toEqual(plan.map(({ time }) => time).sort((a, b) => a - b));
    expect(renewals.every(({ server, other }) => server === other)).toBe(true);
    expect(plan.every(({ operation, server, other }) => operation !== 'call' || server !== other)).toBe(true);
  });

  it('has rates of ordinary clients: as many sessions end as begin, and streams are renewed three times a minute', () => {
    const rates = ratesOf(1_800_000, 180, ORDINARY);
    expect(rates).toMatchObject({ 'open a session': 1000, 'end a session': 1000, 'renew a stream': 90_000 });
    const calls = ['call', 'streamed call', 'cancelled call', 'call that asks'] as const;
    expect(calls.reduce((sum, operation) => sum + (rates[operation] ?? 0), 0)).toBeCloseTo(30_000);
  });

  it('looks at each resource once a minute at each instance that has subscribers of it', () => {
    const looksOf = (instances: number): number =>
      LOOK * (ratesOf(6000, instances, ORDINARY)['look at a resource'] ?? 0);
    // 1,200 resources with five subscribers each, which are at five instances, or at all there are.
    expect(looksOf(10)).toBeCloseTo(6000);
    expect(looksOf(3)).toBeCloseTo(3600);
  });

  it('knows which resources are at the node for resources', () => {
    // As `CLUSTER KEYSLOT` of Redis 7 says of their keys.
    expect([1, 2, 3].map((number) => slotOfTopic(`place://${number}`))).toEqual([4163, 4388, 3021]);
    const found = nextTopic(0);
    expect(slotOfTopic(`place://${found}`)).toBeGreaterThanOrEqual(TOPIC_SLOTS);
  });
});

describe('a simulation', () => {
  it('loads instances and nodes with what their operations cost, and counts commands and bytes', () => {
    const server = roleOf(200, COMMAND, { ...COMMAND, commands: 2 });
    const { instances, masters, replicas, operations } = play('call', { server }, 4000);
    expect(operations).toBe(20_000);
    // 1,000 calls a second for each instance, 2,000 for each node.
    expect(instances.mean.cpu / 1e6).toBeCloseTo(0.2);
    expect(instances.mean).toMatchObject({ bytesIn: near(600_000), bytesOut: near(200_000), commands: 2000 });
    expect(masters.mean.cpu / 1e6).toBeCloseTo(0.04);
    expect(masters.mean).toMatchObject({ commands: near(6000), bytesIn: near(400_000), bytesOut: near(1_400_000) });
    expect(replicas.mean).toMatchObject({ commands: near(4000), bytesIn: near(200_000), bytesOut: 0 });
  });

  it('takes as long as its work and its ways where nobody waits, and longer where many do', () => {
    const costs = costsOf({ call: { server: roleOf(200, COMMAND) } });
    const calm = new Simulation(costs, scenarioOf({ rates: { call: 40 } })).run();
    expect(calm.call.middle).toBeCloseTo(0.2 + 0.2 + 0.01, 2);
    // Nine tenths of what the instances can do: a queue of one core, with arrivals that nobody orders.
    const crowded = new Simulation(costs, scenarioOf({ rates: { call: 18_000 } })).run();
    expect(crowded.instances.mean.cpu / 1e6).toBeCloseTo(0.9, 1);
    expect(crowded.call.middle).toBeGreaterThan(2 * calm.call.middle);
    expect(crowded.call.late).toBeGreaterThan(crowded.call.middle);
  });

  const reader = roleOf(100, { ...COMMAND, place: 'shared' });
  it.each([
    ['every other instance', 'change a list', { every: reader }, 3],
    ['the instance with the stream', 'end a session', { other: reader }, 1],
    ['those with subscribers', 'change a resource', { other: reader }, 2],
    ['those with subscribers and all others', 'change a resource', { other: reader, every: reader }, 3],
  ] as const)('makes %s read what is for it', (_what, operation, cost, readers) => {
    const { instances, masters } = play(operation, cost, 1000);
    expect(instances.mean.cpu).toBeCloseTo((1000 * 100 * readers) / 4);
    expect(instances.mean.commands).toBeCloseTo((1000 * readers) / 4);
    // All of it lies on one of two nodes.
    expect(masters.most.commands).toBeCloseTo(1000 * readers);
    expect(masters.mean.commands).toBeCloseTo(500 * readers);
  });

  it('sends what is published to all nodes, however many there are', () => {
    const server = roleOf(0, { ...COMMAND, publishes: 1 });
    const busOf = (shards: number): Outcome => play('streamed call', { server }, 1000, { shards });
    const [few, many] = [busOf(2), busOf(20)];
    // Each message is read by all nodes but one.
    expect(few.replicas.mean.bus).toBeCloseTo(2_000_000);
    expect(many.replicas.mean.bus).toBeCloseTo(2_000_000);
    expect(many.masters.mean.bus).toBeCloseTo((19 / 20) * 2_000_000);
    // Half of the messages are sent by each of two nodes: to three others, and read by it where it does not send them.
    expect(few.masters.mean.cpu).toBeCloseTo(500 * (10 + 3 + 2), -3);
  });

  it('sends what is published to a shard to its replica only', () => {
    const server = roleOf(0, { ...COMMAND, shardPublishes: 1 });
    const { masters, replicas } = play('streamed call', { server }, 1000, { shards: 20 });
    expect(replicas.mean.bus).toBeCloseTo((1000 * 2000) / 20);
    expect(masters.mean.bus).toBe(0);
    expect(masters.mean.cpu).toBeCloseTo((1000 / 20) * 11);
  });

  it('lets each instance hear what is published for it from the node that has it', () => {
    const publishing = roleOf(0, { ...COMMAND, place: 'topic', shardPublishes: 1 });
    const other: RoleCost = { ...NOTHING, heard: [{ place: 'topic', messages: 1, bytes: 300 }] };
    const { instances, masters, replicas } = play('change a resource', { server: publishing, other }, 1000);
    // Two instances have subscribers of each resource, and there are four instances and two nodes.
    expect(instances.mean.bytesIn).toBeCloseTo((1000 * (300 + 2 * 300)) / 4);
    expect(masters.mean.bytesOut).toBeCloseTo((1000 * (300 + 50 + 2 * 300)) / 2);
    // The resources of many sessions are spread over both nodes.
    expect(masters.most.commands).toBeLessThan(1.1 * masters.mean.commands);
    expect(masters.mean.cpu).toBeCloseTo((1000 * (10 + 1 + 2 * 0.5)) / 2);
    expect(replicas.mean.bytesOut).toBe(0);
  });

  it('adds what nodes do that nobody uses, and what they say to each other, which is more in a large cluster', () => {
    const bus = { ...BUS, gossip: 600, unused: 1000, unusedReplica: 500 };
    const busOf = (shards: number): Outcome => new Simulation({ ...costsOf({}), bus }, scenarioOf({ shards })).run();
    const [few, many] = [busOf(2), busOf(30)];
    // Measured with six nodes: four do not say less, and sixty say ten times as much.
    expect([few.masters.mean.bus, many.masters.mean.bus]).toEqual([near(600), near(6000)]);
    expect([many.masters.mean.cpu, many.replicas.mean.cpu]).toEqual([near(1000), near(500)]);
  });

  it('notifies all open streams of a change of a list', () => {
    const { instances } = play('change a list', { listener: 20 }, 1, { seconds: 1 });
    expect(instances.mean.cpu).toBeCloseTo((10_000 / 4) * 20);
  });

  it('has the load that is asked for, also where it is more than can be done', () => {
    const cost = { server: roleOf(0, { ...COMMAND, place: 'shared', cpu: 2000 }), every: roleOf(100) } as const;
    const { instances, masters } = play('change a list', cost, 1000);
    expect(masters.most.cpu / 1e6).toBeCloseTo(2);
    expect(instances.mean.cpu).toBeCloseTo((1000 * 100 * 3) / 4);
  });

  it('says the same with the same seed', () => {
    const costs = costsOf({ call: { server: roleOf(100, COMMAND) } });
    const run = (seed: number): Outcome => new Simulation(costs, scenarioOf({ rates: { call: 500 }, seed })).run();
    expect(run(3)).toEqual(run(3));
    expect(run(3)).not.toEqual(run(4));
  });
});

describe('a measurement', () => {
  const counts = (all: Readonly<Record<string, number>>): ReadonlyMap<string, number> => new Map(Object.entries(all));
  const ports = [1, 2, 3, 4, 5, 6, 7, 8];
  const none = counts({});

  it('finds what each instance has caused at each node, with the commands of its scripts', () => {
    const server = counts({ cpu: 300, 'sent session EVALSHA': 1, 'to 1': 90, 'from 1': 30 });
    const other = counts({
      cpu: 100,
      'sent session GET': 1,
      'to 1': 20,
      'from 1': 10,
      'heard shared': 1,
      'heard from 5': 40,
    });
    const node = counts({ 'calls evalsha': 1, 'calls get': 1, 'calls set': 2, 'calls publish': 1, cpu: 60 });
    // The other nodes have only read what is published.
    const reading = counts({ cpu: 2, bus: 2000 });
    const replica = counts({ 'calls set': 2, in: 500, cpu: 12 });
    const counted = {
      instances: [server, other, none],
      nodes: [node, reading, reading, reading, replica, reading, reading, reading],
    };
    const cost = attribute({ counted, ports, bus: BUS });
    // Of 60 µs, 7 are for what is sent to seven nodes; four of five commands are those of the script and in it.
    const place = { place: 'session', shardPublishes: 0 } as const;
    const still = { commands: 0, bytes: 0, cpu: 0 };
    expect(cost.server.nodes).toEqual([
      {
        ...place,
        commands: 4,
        publishes: 1,
        bytesIn: 90,
        bytesOut: 30,
        cpu: 42.4,
        replica: { commands: 2, bytes: 500, cpu: 10 },
      },
    ]);
    expect(cost.other).toEqual({
      cpu: 100,
      sent: 1,
      heard: [{ place: 'shared', messages: 1, bytes: 40 }],
      nodes: [{ ...place, commands: 1, publishes: 0, bytesIn: 20, bytesOut: 10, cpu: 10.6, replica: still }],
    });
    expect(cost.every).toEqual(NOTHING);
    expect(cost.names).toEqual({ 'session EVALSHA': 1, 'session GET': 1 });
  });

  it('has the counts of calm processes, and the CPU time of busy ones with what those read together', () => {
    const costOf = (role: RoleCost): OperationCost => ({ ...FREE, other: role });
    const busy = costOf({ ...roleOf(100, { ...COMMAND, commands: 2, cpu: 20 }), sent: 1 });
    const calm = costOf({ ...roleOf(900, { ...COMMAND, commands: 6, cpu: 600 }), sent: 3 });
    const { other } = withCpuOf(busy, calm, 30);
    expect(other).toMatchObject({ cpu: 160, sent: 3, nodes: [{ commands: 6, cpu: 60 }] });
  });
});

describe('the costs that were measured', () => {
  const costs = readJson('costs.json') as Costs;
  const checked = readJson('checked.json') as readonly CheckedSize[];

  it('are whole: each operation has what each role does, in numbers that can be', () => {
    expect(Object.keys(costs.operations)).toEqual([...OPERATIONS]);
    const numbers: number[] = [...Object.values(costs.bus)].map(Number);
    for (const operation of OPERATIONS) {
      const { listener, memory, names, ...roles } = costs.operations[operation];
      expect(Object.keys(roles)).toEqual([...ROLES]);
      numbers.push(listener, memory, ...Object.values(names));
      for (const { cpu, sent, nodes, heard } of Object.values(roles))
        numbers.push(
          cpu,
          sent,
          ...heard.flatMap(({ messages, bytes }) => [messages, bytes]),
          ...nodes.flatMap(numbersOf),
        );
    }
    expect(numbers.filter((number) => !Number.isFinite(number) || number < 0)).toEqual([]);
    const { sigil, node, redis, client, instances, nodes } = costs.measured;
    expect([sigil, node, redis].every((version) => /^\d+\.\d+\.\d+/.test(version))).toBe(true);
    expect({ client, instances, nodes }).toEqual({ client: expect.stringMatching(/\d/), instances: 3, nodes: 8 });
  });

  it('are those of the real code: a call in a session is one command, one without a session is none', () => {
    const { call, 'call without a session': alone } = costs.operations;
    expect(Math.round(call.server.sent)).toBe(1);
    expect(Object.keys(call.names)).toEqual(['session GETEX']);
    expect(alone.server).toMatchObject({ sent: 0, nodes: [] });
  });

  it('were checked: the figures of three, six and twelve instances are near those of the model', () => {
    expect(checked.map(({ instances }) => instances)).toEqual([3, 6, 12]);
    expect(checked.flatMap(({ compared }) => compared.filter(isWrong))).toEqual([]);
  });

  it('are those of the page and its picture: `npm run simulate -- --page docs/scale.md --picture docs/scale.svg`', () => {
    const page = readFileSync(join(docs, 'scale.md'), 'utf8');
    const simulated = simulateAll(costs, readJson('task-costs.json') as TaskCosts);
    expect(page).toBe(writePage(page, simulated, checked));
    expect(readFileSync(join(docs, 'scale.svg'), 'utf8')).toBe(drawScale(simulated));
  });

  it('break later with cheaper operations', () => {
    const firstOf = (cpu: number): unknown => {
      const server = roleOf(10, { ...COMMAND, cpu });
      const [first] = limitsReached(playSizes(costsOf({ 'renew a stream': { server } }), 'six nodes'));
      return { what: first?.limit.what, instances: first?.instances };
    };
    const what = 'the core of a node of Redis';
    // 500 renewals a second for each instance, on three nodes: 48 and 192 instances have 0.8 s of work for each.
    expect(firstOf(100)).toEqual({ what, instances: expect.closeTo(48, -1) as unknown });
    expect(firstOf(25)).toEqual({ what, instances: expect.closeTo(192, -1) as unknown });
  });
});

describe('tasks', () => {
  const NONE: NodeWork = { commands: 0, bytes: 0, cpu: 0 };
  const free = { ...NONE, names: {}, further: NONE };
  const tasksOf = (some: Partial<TaskCosts['operations']>, memory = 1): TaskCosts => ({
    measured: { sigil: '', node: '', redis: '', instances: { few: 2, many: 10 }, tasks: 1 },
    operations: {
      ...(Object.fromEntries(TASK_OPERATIONS.map((name) => [name, free])) as unknown as TaskCosts['operations']),
      ...some,
    },
    memory,
  });
  const cost = (cpu: number, further = 0): TaskCosts['operations']['poll'] => ({
    ...free,
    ...{ commands: 1, bytes: 10, cpu },
    further: { ...NONE, cpu: further },
  });

  it('are created, renewed, followed and ended, each with what further instances hear of it', () => {
    const costs = tasksOf({
      'create a task, and begin it': cost(100, 10),
      'renew a lease': cost(50),
      poll: cost(20),
      watch: cost(40),
      end: cost(60),
      'end, watched': cost(70),
      'idle worker, a second': cost(5),
    });
    const polled = workOf(costs, 4, { lasts: 75, followed: { polls: 0.5 } });
    // Two further instances, ten renewals, 150 polls.
    expect(polled.task).toEqual({ commands: 162, bytes: 1620, cpu: 100 + 2 * 10 + 10 * 50 + 150 * 20 + 60 });
    expect(polled.idle).toEqual({ commands: 4, bytes: 40, cpu: 20 });
    const watched = workOf(costs, 1, { lasts: 75, followed: 'watched' });
    expect(watched.task).toEqual({ commands: 13, bytes: 130, cpu: 100 + 10 * 50 + 40 + 70 });
  });

  it('are as many as the core, the network or the memory of a node carries', () => {
    const lives = { lasts: 10, followed: 'watched' } as const;
    const mostOf = (...words: Parameters<typeof tasksOf>): number => mostTasks(tasksOf(...words), 2, lives).perSecond;
    expect(mostOf({ watch: cost(100), 'idle worker, a second': cost(100_000) })).toBeCloseTo(6000);
    expect(mostOf({ watch: { ...free, bytes: 1e6, cpu: 1 } })).toBeCloseTo(1250);
    expect(mostOf({ watch: cost(1) }, 3.2e9)).toBeCloseTo(1);
    expect(mostOf({ watch: cost(1), 'idle worker, a second': cost(500_000) })).toBe(0);
    expect(mostTasks(tasksOf({ watch: cost(100) }), 2, lives).running).toBeCloseTo(80_000);
  });

  const measured = readJson('task-costs.json') as TaskCosts;

  it('have the counts of the real code: a poll is one script, and a subscription is no poll', () => {
    expect(Object.keys(measured.operations)).toEqual([...TASK_OPERATIONS]);
    const named = (operation: (typeof TASK_OPERATIONS)[number]): unknown => measured.operations[operation].names;
    expect(named('poll')).toEqual({ eval: 1, hmget: 1 });
    for (const operation of ['create a task, and begin it', 'renew a lease', 'end'] as const)
      expect(measured.operations[operation].names).toMatchObject({ publish: expect.any(Number) as number });
  });

  describeWith('redis-server', 'with a real Redis', () => {
    it('are measured with the real code: each operation has the commands that were measured before', async () => {
      const { operations } = await measureTasks(() => undefined, { instances: { few: 2, many: 3 }, tasks: 40 });
      for (const operation of TASK_OPERATIONS) {
        const { commands } = measured.operations[operation];
        // How often a worker reads a task whose lease it has renewed depends on how many are renewed together.
        expect([operation, Math.abs(operations[operation].commands - commands) <= 0.25 * commands + 0.5]).toEqual([
          operation,
          true,
        ]);
      }
    }, 120_000);
  });
});

function numbersOf({ commands, publishes, shardPublishes, bytesIn, bytesOut, cpu, replica }: NodeCost): number[] {
  return [commands, publishes, shardPublishes, bytesIn, bytesOut, cpu, ...Object.values(replica)];
}
