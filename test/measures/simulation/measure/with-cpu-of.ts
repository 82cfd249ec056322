/** The counts of one measurement with the CPU time of another one. */
import { ROLES, type NodeCost, type OperationCost, type RoleCost } from '../model/costs';

/**
 * A process that is woken for each message needs several times the CPU time of one that is busy, but a busy one reads several messages
 * together. What is read together by the busy one is added with the cost of a command.
 * @param busy measured without pauses
 * @param calm measured with pauses, so that nothing is read together
 * @param command microseconds of CPU at a busy instance for one command
 */
export function withCpuOf(busy: OperationCost, calm: OperationCost, command: number): OperationCost {
  const [server, other, every] = ROLES.map((role) => roleOf(busy[role], calm[role], command)) as [
    RoleCost,
    RoleCost,
    RoleCost,
  ];
  return { ...calm, server, other, every };
}

function roleOf(busy: RoleCost, calm: RoleCost, command: number): RoleCost {
  const together = Math.max(0, calm.sent - busy.sent);
  const nodes = calm.nodes.map((node) => {
    const same = busy.nodes.find(({ place }) => place === node.place);
    return same ? nodeOf(same, node) : node;
  });
  return { ...calm, cpu: hundredths(busy.cpu + together * command), nodes };
}

/** The same time for each command. */
function nodeOf(busy: NodeCost, calm: NodeCost): NodeCost {
  const { replica } = calm;
  const ofReplica = busy.replica.commands === 0 ? 0 : (busy.replica.cpu / busy.replica.commands) * replica.commands;
  return {
    ...calm,
    cpu: hundredths((busy.cpu / busy.commands) * calm.commands),
    replica: { ...replica, cpu: hundredths(ofReplica) },
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
