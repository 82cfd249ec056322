/** From what three instances and eight nodes have counted for an operation to what each of them does about it. */
import {
  ROLES,
  type BusCost,
  type NodeCost,
  type OperationCost,
  type Place,
  type Role,
  type RoleCost,
} from '../model/costs';
import type { FleetCounts } from './fleet';
import { PLACES, type Counts } from './redis-cluster';

/** Less than this of a command for each operation is a timer that went off meanwhile. */
const NOISE = 0.1;
/** Commands that change nothing, so replicas do not run them. */
const READS = /^(?:XRANGE|XREVRANGE|GET|EXISTS|ZRANGE|S?(?:UN)?SUBSCRIBE|PUBLISH|SPUBLISH|TIME)$/i;
const SCRIPTS = /^EVAL/i;

/** What is known beside the counters. */
export interface AttributeInit {
  /** What was counted for one operation, without what idle instances do. */
  readonly counted: FleetCounts;
  /** The ports of the nodes, in the order of `counted.nodes`. */
  readonly ports: readonly number[];
  readonly bus: BusCost;
  /** Streams of changes at the second instance; the others have none. */
  readonly listeners?: number;
}

/** The first instance serves, the second has a part in it, the third has none. */
export function attribute(init: AttributeInit): OperationCost {
  const { counted, listeners = 0 } = init;
  const nodes = PLACES.map((_, index) => nodeCosts(init, index));
  const [server, other, every] = ROLES.map((_, role) => {
    const own = nodes.flatMap((costs) => costs[role] ?? []);
    return roleCost(counted.instances[role] ?? new Map<string, number>(), own);
  }) as [RoleCost, RoleCost, RoleCost];
  const listener = listeners > 0 ? Math.max(0, other.cpu - every.cpu) / listeners : 0;
  return {
    server,
    other: listeners > 0 ? { ...other, cpu: every.cpu } : other,
    every,
    listener: round(listener),
    memory: whole(counted.nodes[0]?.get('memory')),
    names: namesOf(counted),
  };
}

function roleCost(counts: Counts, nodes: readonly NodeCost[]): RoleCost {
  const sent = sum(counts, /^sent /);
  const heard = PLACES.map((place) => ({ place, messages: counts.get(`heard ${place}`) ?? 0 }));
  const messages = total(heard.map((each) => each.messages));
  const hasWork = sent > NOISE || messages > NOISE;
  const bytes = sum(counts, /^heard from /);
  return {
    cpu: hasWork || (counts.get('cpu') ?? 0) > 20 ? round(counts.get('cpu') ?? 0) : 0,
    sent: hasWork ? round(sent) : 0,
    nodes,
    heard: heard
      .filter((each) => each.messages > NOISE)
      .map((each) => ({
        place: each.place,
        messages: round(each.messages),
        bytes: whole((bytes * each.messages) / messages),
      })),
  };
}

/** What each role has caused at one node with slots; one that has caused nothing is left out. */
function nodeCosts({ counted, ports, bus }: AttributeInit, index: number): (NodeCost | undefined)[] {
  const place = PLACES[index] as Place;
  const node = counted.nodes[index] ?? new Map<string, number>();
  const replica = counted.nodes[index + PLACES.length] ?? new Map<string, number>();
  const all = sum(node, /^calls /);
  const sent = ROLES.map((_, role) => sum(counted.instances[role], new RegExp(`^sent ${place} `)));
  const scripts = ROLES.map((_, role) => sumOf(counted.instances[role], place, (name) => SCRIPTS.test(name)));
  const writes = ROLES.map((_, role) => sumOf(counted.instances[role], place, (name) => !READS.test(name)));
  const inScripts = Math.max(0, all - total(sent));
  const commands = sent.map((count, role) => count + inScripts * shareOf(scripts, role));
  const [publishes, shardPublishes] = ['publish', 'spublish'].map((name) => node.get(`calls ${name}`) ?? 0);
  const cpu = Math.max(0, (node.get('cpu') ?? 0) - published(counted, index, bus));
  return ROLES.map((_, role) => {
    if ((commands[role] ?? 0) < NOISE) return undefined;
    const [own, written] = [shareOf(commands, role), shareOf(writes, role)];
    return {
      place,
      commands: round(commands[role] ?? 0),
      publishes: round((publishes ?? 0) * shareOf(scripts, role)),
      shardPublishes: round((shardPublishes ?? 0) * shareOf(scripts, role)),
      bytesIn: whole(counted.instances[role]?.get(`to ${ports[index]}`)),
      bytesOut: whole(counted.instances[role]?.get(`from ${ports[index]}`)),
      cpu: round(cpu * own),
      replica: replicaCost(replica, written, received(counted, index + PLACES.length, bus)),
    };
  });
}

/** A share of what a replica does, without what it reads from the bus. */
function replicaCost(replica: Counts, share: number, bus: number): NodeCost['replica'] {
  const commands = sum(replica, /^calls /) * share;
  if (commands < NOISE) return { commands: 0, bytes: 0, cpu: 0 };
  const bytes = whole((replica.get('in') ?? 0) * share);
  return { commands: round(commands), bytes, cpu: round(((replica.get('cpu') ?? 0) - bus) * share) };
}

/** Microseconds of a node for published messages: those that it sends to other nodes, and those that it reads. */
function published(counted: FleetCounts, index: number, bus: BusCost): number {
  const node = counted.nodes[index];
  const own = (node?.get('calls publish') ?? 0) * (counted.nodes.length - 1) + (node?.get('calls spublish') ?? 0);
  return own * bus.send + received(counted, index, bus);
}

function received(counted: FleetCounts, index: number, { receive }: BusCost): number {
  const others = counted.nodes.filter((_, other) => other !== index);
  const master = counted.nodes[index - PLACES.length];
  return receive * (total(others.map((each) => each.get('calls publish') ?? 0)) + (master?.get('calls spublish') ?? 0));
}

/** Commands that instances send, by name and place. */
function namesOf({ instances }: FleetCounts): Record<string, number> {
  const names: Record<string, number> = {};
  for (const role of [0, 1])
    for (const [name, count] of instances[role] ?? [])
      if (name.startsWith('sent ') && count > NOISE) names[name.slice(5)] = round((names[name.slice(5)] ?? 0) + count);
  return names;
}

function sumOf(counts: Counts | undefined, place: Place, isOne: (name: string) => boolean): number {
  const prefix = `sent ${place} `;
  const found = [...(counts ?? [])].filter(([name]) => name.startsWith(prefix) && isOne(name.slice(prefix.length)));
  return total(found.map(([, count]) => count));
}

/** The sum of all counters whose names match. */
export function sum(counts: Counts | undefined, names: RegExp): number {
  return total([...(counts ?? [])].filter(([name]) => names.test(name)).map(([, count]) => count));
}

/** All of it is the first one's if nobody has any. */
function shareOf(counts: readonly number[], index: number): number {
  const all = total(counts);
  if (all < NOISE) return index === 0 ? 1 : 0;
  return (counts[index] ?? 0) / all;
}

function total(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0);
}

function whole(value = 0): number {
  return Math.max(0, Math.round(value));
}

/** To hundredths; what is left of a subtraction may be below 0. */
function round(value: number): number {
  return Math.max(0, Math.round(value * 100) / 100);
}

/** The cost of an instance that does nothing; roles other than the first have no part. */
export function nothingBut(server: RoleCost): Readonly<Record<Role, RoleCost>> {
  const none: RoleCost = { cpu: 0, sent: 0, nodes: [], heard: [] };
  return { server, other: none, every: none };
}
