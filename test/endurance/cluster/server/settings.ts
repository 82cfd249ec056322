/** Times of the cluster, short ones, so that what they are for happens within a minute; milliseconds. */

/** After which a process that says nothing is taken for dead; shorter than one is held still. */
export const DEAD_AFTER = 3000;
/** For which streams are kept: longer than a client waits on a connection that is dead without a word. */
export const KEPT_FOR = 30_000;
/** After which a session that is not used is over: longer, too, for a client that waits for a process which was killed. */
export const IDLE_TIME = 30_000;
/** That an answer is waited for. */
export const ANSWER_TIME = 15_000;
/** After which a client may come back. */
export const RETRY_INTERVAL = 100;

/** What the keys of the cluster begin with. */
export const NAMESPACE = 'cluster';
/** Names the milliseconds that running calls have when a process ends; two seconds if it is not set. */
export const DEADLINE_VARIABLE = 'CLUSTER_DEADLINE';

/** For a command of Redis where no call may be lost, in milliseconds: a busy machine is no reason. */
export const PATIENT = 15_000;

/** What the keys of tasks begin with. */
export const TASKS_PREFIX = 'cluster-tasks';
/** For which a worker has a task, in milliseconds: shorter than processes are held still. */
export const TASK_LEASE = 2000;
/** For which a task is kept. */
export const TASK_TIME = 60_000;
