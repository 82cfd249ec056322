/** What a server offers, from the lists that it answers with: all that is known of a server of another program. */
import type { Survey } from '../inspect/survey';
import type { OfferedEntry, OfferedServer } from './offered-server';

/** The offer of a server as this caller sees it, who is its one audience. */
export function offerOfSurvey(met: Survey): OfferedServer {
  const { server, instructions, revisions, tools, resources, resourceTemplates, prompts } = met;
  const entries: readonly OfferedEntry[] = [
    ...tools.map((listed) => ({ kind: 'tool' as const, key: listed.name, listed })),
    ...resources.map((listed) => ({ kind: 'resource' as const, key: listed.uri, listed })),
    ...resourceTemplates.map((listed) => ({ kind: 'resource-template' as const, key: listed.uriTemplate, listed })),
    ...prompts.map((listed) => ({ kind: 'prompt' as const, key: listed.name, listed })),
  ];
  return {
    name: server?.name ?? 'a server without a name',
    instructions,
    revision: revisions.spoken,
    entries,
    audiences: [{ name: 'this caller', sees: entries }],
  };
}
