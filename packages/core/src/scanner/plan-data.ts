/** An entry described by data -> plan, on the same way as a decorated method. */
import type { EntryData } from '../registry/entry-data';
import type { Member, ScanScope } from './member';
import type { EntryPlan } from './plan';
import { scanPrompt } from './scan-prompt';
import { scanResource } from './scan-resource';
import { scanTool } from './scan-tool';

/**
 * @param verb the method of the registry that was given the data, for messages
 * @returns undefined if something about it is wrong, which has been reported
 */
export function planData(data: EntryData, scope: ScanScope, verb: 'add' | 'update' = 'add'): EntryPlan | undefined {
  const member = dataMember(data, scope, verb);
  switch (data.kind) {
    case 'tool':
      return scanTool(member, { description: data.description, options: data });
    case 'resource':
      return scanResource(member, { uri: data.uri, options: data }, []);
    case 'prompt':
      return scanPrompt(member, { description: data.description, options: data }, []);
  }
}

function dataMember(data: EntryData, scope: ScanScope, verb: string): Member {
  const { name, handler, input, guards = [], interceptors = [] } = data;
  return {
    name,
    where: `registry.${verb}(${JSON.stringify(name)})`,
    ...scope,
    parameterTypes: undefined,
    // Without an input there is nothing to hand over; the context still comes second.
    parameterCount: input ? 2 : 0,
    source: { feature: undefined, member: undefined },
    // Which input it takes is the promise of whoever adds the entry.
    handler: { run: handler as (...args: unknown[]) => unknown },
    guards,
    interceptors,
  };
}
