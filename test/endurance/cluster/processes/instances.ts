/** The processes of a cluster, all alike. */
import type { Mark } from '../server/marks';
import { freePort } from '../../../support/free-port';
import { Instance, type InstanceInit } from './instance';

/** What each process runs. */
export type ServerProgram = Pick<InstanceInit, 'program' | 'args' | 'readyLine'>;

/** How the processes are started, and who hears of them. */
export interface InstancesInit extends ServerProgram, Pick<InstanceInit, 'env' | 'onEnd'> {
  readonly count: number;
  readonly onMark: (mark: Mark, lane: number) => void;
}

/** Starts processes, each on a port of its own. */
export async function startInstances({ count, onMark, ...init }: InstancesInit): Promise<readonly Instance[]> {
  const lanes = Array.from({ length: count }, (_, lane) => lane);
  const instances: Instance[] = [];
  for (const lane of lanes) {
    const port = await freePort();
    instances.push(new Instance({ ...init, lane, port, onMark: (mark) => onMark(mark, lane) }));
  }
  await Promise.all(instances.map((instance) => instance.start()));
  return instances;
}
