/** Everything that a server shows to a model, requested at once. */
import type { DeclaredEntry } from '../declared/declared-entries';
import { storeTools } from '../completion/remembered-tools';
import { shownEntries } from '../session/as-sent';
import type { CommandSession } from '../session/session';
import type { ServerDescription } from '@sigil-mcp/client';
import {
  PER_REQUEST_REVISIONS,
  type Prompt,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from '@sigil-mcp/protocol';
import type { SkillListing } from '../official-client';
import { listSkills, SKILLS } from './skills';

/** The protocol revisions of a server. */
export interface Revisions {
  /** The revision of this connection. */
  readonly spoken: string;
  /** The revisions that the server supports without a handshake. */
  readonly offered: readonly string[];
  /** The revisions that the server supports after a handshake, the newest first; if this connection had one, only its revision. */
  readonly handshake: readonly string[];
}

/** Everything that a server shows. */
export interface Survey {
  readonly server: ServerDescription['info'];
  readonly instructions: string | undefined;
  readonly revisions: Revisions;
  readonly capabilities: ServerDescription['capabilities'];
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly prompts: readonly Prompt[];
  /** Checked as hosts check them; left out for a server without the extension of skills. */
  readonly skills?: SkillListing;
  /** The values that the server completes an empty argument with: prompt -> argument -> values. The protocol lists no choices. */
  readonly suggestions: Suggestions;
  /** What the code of a local project declares and the protocol does not list; left out for all other targets. */
  readonly declared?: readonly DeclaredEntry[];
}

/** Prompt -> argument -> values. */
export type Suggestions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Requests everything that the server announces. */
export async function survey({ client, request, target }: CommandSession): Promise<Survey> {
  const { revision: spoken, server } = client;
  const { info, instructions, capabilities } = server;
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    capabilities.tools ? client.allTools(request).then(shownEntries) : [],
    capabilities.resources ? client.allResources(request).then(shownEntries) : [],
    capabilities.resources ? client.allResourceTemplates(request).then(shownEntries) : [],
    capabilities.prompts ? client.allPrompts(request).then(shownEntries) : [],
  ]);
  if (capabilities.tools) storeTools(target, tools);
  const isHandshake = PER_REQUEST_REVISIONS.every(({ version }) => version !== spoken);
  const revisions = isHandshake
    ? { spoken, offered: [], handshake: [spoken] }
    : { spoken, offered: server.revisions, handshake: [] };
  return {
    server: info,
    ...{ instructions, revisions, capabilities, tools, resources, resourceTemplates, prompts },
    ...(capabilities.extensions?.[SKILLS] && { skills: await listSkills({ client, request }) }),
    suggestions: await suggestionsFor(prompts, { client, request }),
  };
}

async function suggestionsFor(
  prompts: readonly Prompt[],
  { client, request }: Pick<CommandSession, 'client' | 'request'>,
): Promise<Suggestions> {
  if (!client.server.capabilities.completions) return {};
  const complete = async (prompt: string, name: string): Promise<readonly (readonly [string, readonly string[]])[]> => {
    // An argument without completions may be answered with an error, which says nothing about the prompt.
    const { values } = (await client.complete({ prompt }, { name, value: '' }, request).catch(() => undefined))
      ?.completion ?? { values: [] };
    return values.length === 0 ? [] : [[name, values]];
  };
  const found = await Promise.all(
    prompts.map(async ({ name, arguments: given = [] }) => {
      const values = await Promise.all(given.map((argument) => complete(name, argument.name)));
      return [name, Object.fromEntries(values.flat())] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, values]) => Object.keys(values).length > 0));
}
