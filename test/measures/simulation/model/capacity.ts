/** What a node of Redis, or an instance, has. */

/** The share of a core from which queues grow. */
export const FULL = 0.8;
/** Bytes a second that a node can send and receive: a network of 10 Gbit/s, each way. */
export const NETWORK = 1.25e9;
/** Bytes that a node can store. */
export const MEMORY = 32e9;
