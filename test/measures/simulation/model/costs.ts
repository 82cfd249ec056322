/** What the real code costs: the input of the model, as `npm run simulate -- --measure` writes it to `costs.json`. */

/** What a key belongs to, which decides the node that has it: a session, the inbox of an instance, a resource with subscribers, or all instances. */
export type Place = 'session' | 'inbox' | 'topic' | 'shared';

/** What is asked of a node with slots, and of its replica. */
export interface NodeCost {
  readonly place: Place;
  /** Commands, those in scripts included. */
  readonly commands: number;
  /** Of them: messages that are published to all nodes, and those for the nodes of one shard. */
  readonly publishes: number;
  readonly shardPublishes: number;
  /** Bytes that the node reads and writes, without replication, published messages and the bus of the cluster. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Microseconds of CPU, without published messages. */
  readonly cpu: number;
  /** At the replica: bytes are those that the node sends to it. */
  readonly replica: { readonly commands: number; readonly bytes: number; readonly cpu: number };
}

/** Published messages that an instance receives. What all instances share is published to all nodes, anything else to one shard. */
export interface HeardCost {
  readonly place: Place;
  readonly messages: number;
  readonly bytes: number;
}

/** What one instance does about an operation. */
export interface RoleCost {
  /** Microseconds of CPU. */
  readonly cpu: number;
  /** Commands that it sends. */
  readonly sent: number;
  readonly nodes: readonly NodeCost[];
  readonly heard: readonly HeardCost[];
}

/** Instances, by their part in an operation: the one that serves the request, others that have a part in it, and each of the rest. */
export const ROLES = ['server', 'other', 'every'] as const;
export type Role = (typeof ROLES)[number];

/** One operation of a client. */
export interface OperationCost extends Readonly<Record<Role, RoleCost>> {
  /** Microseconds of CPU for each open stream of changes, at every instance. */
  readonly listener: number;
  /** Bytes that Redis stores afterwards, while it stores them. */
  readonly memory: number;
  /** Commands that instances send, by name: of all roles but `every`. */
  readonly names: Readonly<Record<string, number>>;
}

/** The operations that are measured. */
export const OPERATIONS = [
  'open a session',
  'open a stream of changes',
  'call',
  'streamed call',
  'call without a session',
  'cancelled call',
  'call that asks',
  'subscribe',
  'change a resource',
  'change a list',
  'resume a stream elsewhere',
  'end a session',
  'renew a stream',
  'look at a resource',
  'idle instance, a second',
] as const;
export type Operation = (typeof OPERATIONS)[number];

/** What a message on the bus of the cluster costs, which each PUBLISH sends to all other nodes. */
export interface BusCost {
  readonly bytes: number;
  /** Microseconds of CPU for each node that it is sent to, at the node that has it, and at those that read it. */
  readonly send: number;
  readonly receive: number;
  /** Microseconds of CPU at a node, for each instance that hears a message. */
  readonly push: number;
  /**
   * Bytes that a node reads a second where nothing is published, in a cluster as large as the one that was measured: it exchanges messages with
   * another node each second. In a larger one it does so with all others now and then, which is more in proportion.
   */
  readonly gossip: number;
  /** Microseconds of CPU a second of a node, and of a replica, that nobody uses. */
  readonly unused: number;
  readonly unusedReplica: number;
}

/** With what, and how, costs were measured. */
export interface Measurement {
  readonly sigil: string;
  readonly node: string;
  readonly redis: string;
  readonly client: string;
  readonly instances: number;
  /** Nodes of Redis, half of them replicas. */
  readonly nodes: number;
  /** Times that each operation was counted. */
  readonly times: number;
}

/** All of them. */
export interface Costs {
  readonly measured: Measurement;
  readonly bus: BusCost;
  readonly operations: Readonly<Record<Operation, OperationCost>>;
}
