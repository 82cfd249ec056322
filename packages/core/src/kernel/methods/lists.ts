/** The methods that list entries, one for each kind: `tools/list` and the like. */
import { ALL_KINDS } from '../../kinds/all-kinds';
import type { ListMethod } from '../../kinds/entry-kind-rules';
import type { Entry } from '../../registry/entry';
import { andThen } from '@sigil-mcp/base';
import { announceList } from '../announce-list';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** Lists the entries of each kind. */
export function listMethods(services: MethodServices): MethodHandler<ListMethod>[] {
  const { maskError, registry } = services;
  return ALL_KINDS.map((rules) => {
    const { listMethod: method, capability } = rules;
    const reportFailure = (error: unknown, entry: Entry): void => void maskError(error, { method, entry });
    const list = rules.openList({ ...services, reportFailure });
    return {
      method,
      capability,
      handle: (call) => andThen(announceList(registry, call), () => list.page(call.params.cursor, call.context)),
    };
  });
}
