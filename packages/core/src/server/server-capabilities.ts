/** The capabilities that a server advertises. */
import type { JsonObject, ServerCapabilities } from '@sigil-mcp/protocol';
import type { Extension } from '../extensions/extension';
import { ALL_KINDS } from '../kinds/all-kinds';
import { EntryFaces } from '../registry/entry-faces';
import type { Registry } from '../registry/registry';
import type { CapabilityName, ServerOptions } from './server-options';

/**
 * The capabilities that a server tells its clients of: those of the kinds that have an entry, be it disabled for now, and those
 * that the options name, and their extensions. `logging` is always there: any handler may log to the client.
 */
export function advertisedCapabilities(
  registry: Registry,
  { capabilities = [], extensions = [] }: Pick<ServerOptions, 'capabilities' | 'extensions'>,
): ServerCapabilities {
  const names = new Set<CapabilityName>(capabilities);
  for (const { kind, capability } of ALL_KINDS) if (!registry.all(kind).next().done) names.add(capability);
  if (hasCompleters(registry)) names.add('completions');
  const offered = ALL_KINDS.filter(({ capability }) => names.has(capability));
  return {
    ...Object.fromEntries(offered.map(({ capability, offers }) => [capability, offers])),
    ...(names.has('completions') && { completions: {} }),
    logging: {},
    ...(extensions.length > 0 && { extensions: settingsOf(extensions, registry) }),
  };
}

/** Extension -> its settings. */
function settingsOf(
  extensions: readonly Extension<object>[],
  registry: Registry,
): Readonly<Record<string, JsonObject>> {
  const entries = new EntryFaces(registry);
  return Object.fromEntries(extensions.map((each) => [each.name, each.protocol?.capabilities?.(entries) ?? {}]));
}

function hasCompleters(registry: Registry): boolean {
  return ALL_KINDS.some(({ kind }) => [...registry.all(kind)].some(({ completers }) => completers.size > 0));
}
