/** The capabilities that a server advertises. */
import type { JsonObject, ServerCapabilities } from '@sigil-mcp/protocol';
import type { EntryKind } from '../context/entry-facts';
import type { Extension } from '../extensions/extension';
import type { Registry } from '../registry/registry';
import type { CapabilityName, ServerOptions } from './server-options';

/** Kind of entry -> the capability without which its methods do not exist. */
export const CAPABILITY_OF: Readonly<Record<EntryKind, CapabilityName>> = {
  tool: 'tools',
  resource: 'resources',
  'resource-template': 'resources',
  prompt: 'prompts',
};

/** Every kind of entry. */
export const ENTRY_KINDS = Object.keys(CAPABILITY_OF) as readonly EntryKind[];

/**
 * The capabilities that a server tells its clients of: those of the kinds that have an entry, be it disabled for now, and those
 * that the options name, and their extensions. `logging` is always there: any handler may log to the client.
 */
export function advertisedCapabilities(
  registry: Registry,
  { capabilities = [], extensions = [] }: Pick<ServerOptions, 'capabilities' | 'extensions'>,
): ServerCapabilities {
  const has = (...kinds: EntryKind[]): boolean => kinds.some((kind) => !registry.all(kind).next().done);
  const names = new Set<CapabilityName>(capabilities);
  if (has('tool')) names.add('tools');
  if (has('resource', 'resource-template')) names.add('resources');
  if (has('prompt')) names.add('prompts');
  if (hasCompleters(registry)) names.add('completions');
  return {
    ...(names.has('tools') && { tools: { listChanged: true } }),
    ...(names.has('resources') && { resources: { listChanged: true, subscribe: true } }),
    ...(names.has('prompts') && { prompts: { listChanged: true } }),
    ...(names.has('completions') && { completions: {} }),
    logging: {},
    ...(extensions.length > 0 && { extensions: settingsOf(extensions, registry) }),
  };
}

/** Extension -> its settings. */
function settingsOf(extensions: readonly Extension[], registry: Registry): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(extensions.map((each) => [each.name, each.capabilities?.(registry) ?? {}]));
}

function hasCompleters(registry: Registry): boolean {
  const entries = [...registry.all('prompt'), ...registry.all('resource-template')];
  return entries.some(({ completers }) => completers.size > 0);
}
