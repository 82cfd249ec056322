/** What is done to a cluster, each kind on its own, so that a run can choose among them. */
import type { Instance } from '../processes/instance';
import type { SharedRedis } from '../processes/shared-redis';
import type { RoundRobinProxy } from '../proxy/round-robin-proxy';
import type { Random } from '../random';
import type { World } from '../world';

/** What can be harmed. */
export interface Victims {
  readonly world: World;
  readonly instances: readonly Instance[];
  readonly proxy: RoundRobinProxy;
  /** Undefined where each process is on its own. */
  readonly redis: SharedRedis | undefined;
}

/** Does harm again and again until the signal fires; then everything is as it was before. */
export type Chaos = (victims: Victims, random: Random, over: AbortSignal) => Promise<void>;
