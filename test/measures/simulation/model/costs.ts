/** What the real code costs: the input of the model, as `npm run simulate -- --measure` writes it to `costs.json`. */

/** What a key belongs to, which decides the node that has it: a session, the inbox of an instance, or all instances. */
export type Place = 'session' | 'inbox' | 'shared';

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

/** What one instance does about an operation. */
export interface RoleCost {
  /** Microseconds of CPU. */
  readonly cpu: number;
  /** Commands that it sends. */
  readonly sent: number;
  readonly nodes: readonly NodeCost[];
  /** Published messages that it receives, and their bytes. */
  readonly heard: { readonly messages: number; readonly bytes: number };
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
  /** Bytes that a node reads a second where nothing is published, for each node of the cluster. */
  readonly gossip: number;
}

/** What each change in the log of all instances costs in addition where a client continues with a stream after it. */
export interface MissedCost {
  /** Bytes from the node that has the log. */
  readonly bytes: number;
  /** Microseconds of CPU, at that node and at the instance. */
  readonly node: number;
  readonly instance: number;
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
  readonly missed: MissedCost;
  readonly operations: Readonly<Record<Operation, OperationCost>>;
}
