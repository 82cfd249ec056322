/**
 * What a cluster promises to its clients, whichever of its processes they meet and whatever happens to them. A run counts how often
 * each of these is broken; every count has to be 0.
 *
 * The processes are alike, and a proxy sends each request to the next of them. Any may be killed at any instant, or be held still and
 * come back; any connection may break, or be dead without a word; Redis may be away, and come back with what it held or without.
 *
 * What is no broken promise:
 * - A connection that breaks is seen by its client, and is an outcome: whether the call ran, the client does not know. A client whose
 *   stream has given it an id comes back for the rest, to whichever process there is.
 * - A call whose process was killed or held still ends with a JSON-RPC error on its stream, and is not run again.
 * - While Redis is away, and shortly afterwards, requests of sessions are refused with 503; the client tries again.
 * - When Redis has come back empty, sessions and streams are over (404): clients initialize anew.
 * - Changes that happen between two of a client's connections may come as one; what is changed while Redis is away, or by a process
 *   that is killed before it could say so, may not be told.
 * - A task whose worker is killed or held still, or away from Redis for longer than its lease, while it works has failed, and is not run
 *   again; one that waits for an answer goes on at another process. When Redis has come back empty, tasks are not known.
 * - A process that is held still hears of nothing until it comes back; whoever waits for it waits as long.
 * - Without a Redis, a process answers for itself alone.
 */

/** The promises, each with how it is broken. */
export const PROMISES = {
  'sessions lost': 'A session that nobody has ended is known to every process',
  'ended sessions served': 'A session that was ended is known to none',
  'wrong answers': 'An answer is the answer to its own question, and a refusal has a cause',
  'duplicates on a stream': 'A message comes once on its stream, also to a client that comes back for more',
  'gaps on a stream': 'A client that comes back gets all that it missed, in order',
  'calls without an outcome': 'A call ends with a result, an error, or a broken connection',
  'cancellations not heard': 'A call stops when it is cancelled, or its session is ended, at whichever process',
  'changes not heard': 'A change that one process makes is heard of by the clients of all',
  'tasks lost': 'A task that was answered with is known to every process, and comes to its end',
  'tasks run twice': 'A task does its work once, or has failed',
  'keys left in Redis': 'What is kept is kept for a time',
  'rejections nobody took': 'Nothing fails unseen, and no process ends by itself',
} as const;

/** One of them. */
export type PromiseName = keyof typeof PROMISES;
