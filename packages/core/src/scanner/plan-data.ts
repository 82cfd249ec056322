/** An entry described by data -> plan, on the same way as a decorated method. */
import { wordsFor } from '../errors/words-for';
import { checkEntryData } from './check-entry-data';
import type { EntryData, ResourceData } from './entry-data';
import { reportMember, type Member, type Scan } from './member';
import type { EntryPlan } from './plan';
import { scanPrompt } from './scan-prompt';
import { scanResource } from './scan-resource';
import { scanTool } from './scan-tool';

/**
 * Plans an entry that is described by data.
 * @param verb the method of the registry that was given the data, for messages
 * @returns undefined if something about it is wrong, which has been reported
 */
export function planData(data: EntryData, scan: Scan, verb: 'add' | 'update' = 'add'): EntryPlan | undefined {
  if (!checkEntryData(data, verb, scan.report)) return undefined;
  const plan = scanData(data, dataMember(data, scan, verb));
  // No types tell what its handler takes: the input is the first parameter also where there is none, the context the second.
  return plan && { ...plan, parameters: ['input', 'context'] };
}

function scanData(data: EntryData, member: Member): EntryPlan | undefined {
  switch (data.kind) {
    case 'tool':
      return scanTool(member, { description: data.description, options: data });
    case 'resource':
      return scanResourceData(member, data);
    case 'prompt':
      return scanPrompt(member, { description: data.description, options: data }, []);
  }
}

function scanResourceData(member: Member, data: ResourceData): EntryPlan | undefined {
  const { uri, list: run } = data;
  if (run && !uri.includes('{')) {
    reportMember(member, wordsFor('SIGIL_LIST_WITHOUT_TEMPLATE', { uri: JSON.stringify(uri) }));
    return undefined;
  }
  // A function that takes the context, or that and a page, can be called with both.
  const parameters = (['context', 'page'] as const).slice(0, Math.max(run?.length ?? 0, 1));
  const handler = run && { run: run as (...args: unknown[]) => unknown };
  return scanResource(member, { uri, options: data }, { completers: [], list: handler && { handler, parameters } });
}

function dataMember(data: EntryData, scan: Scan, verb: string): Member {
  const { name, handler, guards = [], interceptors = [] } = data;
  return {
    name,
    where: `registry.${verb}(${JSON.stringify(name)})`,
    ...scan,
    parameterTypes: undefined,
    // Declared ones would have to have types.
    parameterCount: 0,
    source: { feature: undefined, member: undefined, module: undefined },
    module: undefined,
    // Which input it takes is the promise of whoever adds the entry.
    handler: { run: handler as (...args: unknown[]) => unknown },
    guards,
    interceptors,
  };
}
