/** Plays a plan: each operation goes from its instance to the nodes of Redis and back, and waits wherever others are first. */
import type { BusCost, Costs, HeardCost, NodeCost, OperationCost, Place, RoleCost } from './costs';
import { EventQueue, spread, LoadSum, Station, type Load } from './event-queue';
import { type Scenario, planOf, type Planned } from './scenario';

/** What stations of one kind have to do. */
export interface Loads {
  /** Of each, a second: the mean of all, and the one with the most CPU. */
  readonly mean: Load;
  readonly most: Load;
}

/** The outcome of a scenario. */
export interface Outcome {
  readonly instances: Loads;
  /** Nodes with slots, and their replicas. */
  readonly masters: Loads;
  readonly replicas: Loads;
  /** Milliseconds of a call, from its arrival to its answer. */
  readonly call: { readonly middle: number; readonly late: number };
  /** Operations that were played. */
  readonly operations: number;
}

/** Keys that are of no session: a number for each of them, which no session has. */
const SHARED = -1;
const FIRST_INBOX = -2;
/** The number of the resource to which the first session is subscribed. */
const FIRST_TOPIC = 0x4000_0000;

/** Plays one scenario, once. */
export class Simulation {
  readonly #queue = new EventQueue();
  readonly #bus: BusCost;
  /** What each instance, and each node, does with all others. */
  readonly #everyInstance = new LoadSum();
  readonly #everyNode = new LoadSum();
  readonly #instances: readonly Station[];
  readonly #masters: readonly Station[];
  readonly #replicas: readonly Station[];
  readonly #times: number[] = [];
  #operations = 0;

  constructor(
    private readonly costs: Costs,
    private readonly scenario: Scenario,
    private readonly plan: Iterable<Planned> = planOf(scenario),
  ) {
    this.#bus = costs.bus;
    this.#instances = Array.from({ length: scenario.instances }, () => new Station(this.#everyInstance));
    const nodes = (): Station[] => Array.from({ length: scenario.shards }, () => new Station(this.#everyNode));
    [this.#masters, this.#replicas] = [nodes(), nodes()];
  }

  run(): Outcome {
    for (const planned of this.plan) {
      this.#queue.runUntil(planned.time);
      this.#begin(planned);
    }
    // What is under way at the end is played, too: the load is what is asked for, also where it is more than can be done.
    this.#queue.runUntil(Number.POSITIVE_INFINITY);
    const growth = Math.max(1, (2 * this.scenario.shards) / this.costs.measured.nodes);
    const gossip = this.#bus.gossip * growth * this.scenario.seconds;
    this.#everyNode.add({ ...NOTHING, bus: gossip });
    for (const node of this.#masters) node.work(0, { ...NOTHING, cpu: this.#bus.unused * this.scenario.seconds });
    for (const node of this.#replicas)
      node.work(0, { ...NOTHING, cpu: this.#bus.unusedReplica * this.scenario.seconds });
    const times = this.#times.sort((one, other) => one - other);
    const at = (share: number): number => 1000 * (times[Math.floor(times.length * share)] ?? 0);
    const { seconds } = this.scenario;
    return {
      instances: loadsOf(this.#instances, seconds),
      masters: loadsOf(this.#masters, seconds),
      replicas: loadsOf(this.#replicas, seconds),
      call: { middle: at(0.5), late: at(0.99) },
      operations: this.#operations,
    };
  }

  /** Half of the work of the instance comes before its commands, half after them. */
  #begin(planned: Planned): void {
    this.#operations++;
    const { operation, server, time } = planned;
    const cost = this.costs.operations[operation];
    const half = halfOf(cost.server);
    const ready = this.#at(server).work(time, { ...half, commands: cost.server.sent });
    this.#send(planned, cost.server.nodes, { at: ready, instance: server }, (answered) => {
      const done = this.#at(server).work(answered, half);
      this.#hear(planned, server, cost.server);
      if (operation === 'call') this.#times.push(done - time);
      this.#notify(planned, cost, answered);
    });
  }

  /** The others do their parts: those that have one, and all of the rest. */
  #notify(planned: Planned, cost: OperationCost, at: number): void {
    const { instances, subscribed, listeners } = this.scenario;
    const hasPart = cost.other.sent + cost.other.cpu + cost.other.heard.length > 0;
    const others = !hasPart ? 0 : planned.operation === 'change a resource' ? subscribed : 1;
    const count = Math.min(others, instances - 1);
    for (let index = 0; index < count; index++)
      this.#take(planned, cost, { at, instance: this.#otherOf(planned, index) });
    this.#takeByAll(planned, cost, instances - 1 - count);
    if (cost.listener > 0) this.#everyInstance.add({ ...NOTHING, cpu: (cost.listener * listeners) / instances });
  }

  /** The next instances after the one with the stream, without the one that serves. */
  #otherOf({ server, other }: Planned, index: number): number {
    const { instances } = this.scenario;
    const before = (server - other + instances) % instances;
    return (other + index + (index >= before && before > 0 ? 1 : 0)) % instances;
  }

  #take(
    planned: Planned,
    cost: OperationCost,
    { at, instance }: { readonly at: number; readonly instance: number },
  ): void {
    const { other } = cost;
    const own = { ...planned, other: instance };
    this.#hear(own, instance, other);
    this.#send(own, other.nodes, { at, instance }, (answered) => {
      this.#at(instance).work(answered, { ...NOTHING, cpu: other.cpu, commands: other.sent });
    });
  }

  /** The work of all others is added once: what they read is at the same node, or each has its own inbox. */
  #takeByAll(planned: Planned, cost: OperationCost, count: number): void {
    const { every } = cost;
    if (count <= 0 || every.cpu + every.sent + every.heard.length === 0) return;
    const { instances, shards } = this.scenario;
    const share = count / instances;
    for (const node of every.nodes) {
      for (const index of this.#indexesOf(node.place, planned))
        this.#runAt(index, node, { at: 0, count: node.place === 'inbox' ? count / shards : count });
      this.#everyInstance.add(sentTo(node), share);
    }
    this.#everyInstance.add({ ...NOTHING, cpu: every.cpu, commands: every.sent }, share);
    for (const heard of every.heard) {
      this.#everyInstance.add({ ...NOTHING, bytesIn: heard.bytes }, share);
      const pushed = this.#pushOf(heard);
      const indexes = this.#indexesOf(heard.place, planned);
      if (heard.place === 'shared') this.#everyNode.add(pushed, count / (2 * shards));
      else for (const index of indexes) this.#masters[index]?.work(0, times(pushed, count / indexes.length));
    }
  }

  /** Sends commands to one place after the other. */
  #send(
    planned: Planned,
    [first, ...rest]: readonly NodeCost[],
    { at, instance }: { readonly at: number; readonly instance: number },
    then: (time: number) => void,
  ): void {
    if (!first) {
      this.#queue.add(at, () => then(at));
      return;
    }
    const { network } = this.scenario;
    this.#at(instance).work(at, sentTo(first));
    this.#queue.add(at + network, () => {
      const done = this.#runAt(this.#indexOf(first.place, planned), first, { at: at + network, count: 1 });
      this.#send(planned, rest, { at: done + network, instance }, then);
    });
  }

  /** Runs commands at a node, its replica, and what is published at all nodes. @returns when the node is done */
  #runAt(index: number, cost: NodeCost, { at, count }: { readonly at: number; readonly count: number }): number {
    const [master, replica] = [this.#masters[index] as Station, this.#replicas[index] as Station];
    const bus = this.#bus;
    const nodes = 2 * this.scenario.shards;
    const { publishes, shardPublishes, bytesIn, bytesOut, commands } = cost;
    const sending = (publishes * (nodes - 1) + shardPublishes) * bus.send;
    // What all nodes read of a publication, the one that sends it does not.
    const own = { cpu: -publishes * bus.receive, bus: -publishes * bus.bytes };
    this.#everyNode.add({ ...NOTHING, cpu: publishes * bus.receive, bus: publishes * bus.bytes }, count);
    const work = {
      cpu: cost.cpu + sending + own.cpu,
      commands,
      bytesIn,
      bytesOut: bytesOut + cost.replica.bytes,
      bus: own.bus,
    };
    replica.work(
      at,
      times(
        {
          cpu: cost.replica.cpu + shardPublishes * bus.receive,
          commands: cost.replica.commands,
          bytesIn: cost.replica.bytes,
          bytesOut: 0,
          bus: shardPublishes * bus.bytes,
        },
        count,
      ),
    );
    return master.work(at, times(work, count));
  }

  /** An instance hears what all share from any node to which it has subscribed, and anything else from that of the shard. */
  #hear(planned: Planned, instance: number, { heard }: RoleCost): void {
    for (const each of heard) {
      this.#at(instance).work(0, { ...NOTHING, bytesIn: each.bytes });
      const isShared = each.place === 'shared';
      const nodes = isShared && instance % 2 === 1 ? this.#replicas : this.#masters;
      const index = isShared ? spread(instance, this.scenario.shards) : this.#indexOf(each.place, planned);
      nodes[index]?.work(0, this.#pushOf(each));
    }
  }

  #pushOf({ messages, bytes }: HeardCost): Load {
    return { ...NOTHING, cpu: messages * this.#bus.push, bytesOut: bytes };
  }

  #at(instance: number): Station {
    // Plans name instances below their number.
    return this.#instances[instance] as Station;
  }

  /** The nodes that have what all instances read: one, or those of all inboxes. */
  #indexesOf(place: Place, planned: Planned): readonly number[] {
    return place === 'inbox' ? [...this.#masters.keys()] : [this.#indexOf(place, planned)];
  }

  #indexOf(place: Place, { session, other }: Planned): number {
    const keys = { session, inbox: FIRST_INBOX - other, topic: FIRST_TOPIC + session, shared: SHARED };
    return spread(keys[place], this.scenario.shards);
  }
}

const NOTHING: Load = { cpu: 0, commands: 0, bytesIn: 0, bytesOut: 0, bus: 0 };

function halfOf({ cpu }: RoleCost): Load {
  return { ...NOTHING, cpu: cpu / 2 };
}

/** The bytes of an instance for its commands to a node. */
function sentTo({ bytesIn, bytesOut }: NodeCost): Load {
  return { ...NOTHING, bytesIn: bytesOut, bytesOut: bytesIn };
}

function times(load: Load, count: number): Load {
  const sum = new LoadSum();
  sum.add(load, count);
  return sum;
}

function loadsOf(stations: readonly Station[], seconds: number): Loads {
  const each = stations.map(({ sum }) => times(sum, 1 / seconds));
  const all = new LoadSum();
  for (const load of each) all.add(load, 1 / each.length);
  return { mean: all, most: each.reduce((one, other) => (other.cpu > one.cpu ? other : one)) };
}
