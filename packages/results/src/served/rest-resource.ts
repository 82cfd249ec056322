/** The resource with what was cut: only the caller of the tool may read it, as long as it may use the tool. */
import {
  Denial,
  ProtocolError,
  resource,
  type EntryFacts,
  type EntryStage,
  type ExtensionCall,
  type FeatureData,
} from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/internal';
import { REST } from '../names';
import type { StartedBudgets } from './budget-stage';
import { contentsOf } from './kept-rests';

/** The template of the resource. It is not listed, because results link to it. */
export function restResource(isPublic: boolean): FeatureData {
  const options = {
    name: 'The rest of a result',
    description: 'What a tool left out of its result, for the caller of the tool.',
    unlisted: true,
    ...(isPublic && { public: true }),
  };
  return resource(REST, options, () => '');
}

/** Answers in place of the handler. */
export const REST_STAGE: EntryStage<StartedBudgets> = {
  isForEveryone: true,
  run: (call, _next, started) => read(call, started),
};

async function read(call: ExtensionCall, { rests, services: { entries } }: StartedBudgets): Promise<object> {
  // Of `resources/read`.
  const uri = String(Reflect.get(call.params, 'uri'));
  const { id, from } = partsOf(call.arguments);
  const rest = await rests.find(id, call.context);
  const tool = rest && entries.find('tool', rest.tool);
  const contents = rest && contentsOf(rest, from);
  if (!contents || !tool || !(await mayUse(call, tool))) throw notFound(uri);
  return { contents: [{ uri, ...contents }] };
}

/**
 * Whether the caller may still use a tool.
 * @throws Denial that a guard gives, or for scopes that are missing
 */
async function mayUse(call: ExtensionCall, tool: EntryFacts): Promise<boolean> {
  try {
    await call.checkAccess(tool);
    return true;
  } catch (error) {
    if (error instanceof Denial) throw error;
    return false;
  }
}

function notFound(uri: string): ProtocolError {
  const words = `Resource not found: ${uri.slice(0, 200)}. It may have expired.`;
  return new ProtocolError('resource-not-found', words, { uri: uri.slice(0, 2000) });
}

function partsOf(given: unknown): { readonly id: string; readonly from: number } {
  const { id = '', from = '' } = isObject(given) ? given : {};
  return { id: String(id), from: /^\d{1,15}$/.test(String(from)) ? Number(from) : -1 };
}
