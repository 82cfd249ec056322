/** Everything that a server shows to a model, requested at once. */
import type { DeclaredEntry } from '../declared/declared-entries';
import { storeTools } from '../completion/remembered-tools';
import type { CommandSession } from '../session/session';
import {
  loadOfficialSkills,
  type Client,
  type Prompt,
  type Resource,
  type ResourceTemplate,
  type SkillListing,
  type Tool,
} from '../official-client';

/** The protocol revisions of a server. */
export interface Revisions {
  /** The revision of this connection. */
  readonly spoken: string | undefined;
  /** The revisions that the server supports without a handshake. */
  readonly offered: readonly string[];
  /** The revisions that the server supports after a handshake, the newest first; if this connection had one, only its revision. */
  readonly handshake: readonly string[];
}

/** Everything that a server shows. */
export interface Survey {
  readonly server: ReturnType<Client['getServerVersion']>;
  readonly instructions: string | undefined;
  readonly revisions: Revisions;
  readonly capabilities: ReturnType<Client['getServerCapabilities']>;
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
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const [listedTools, listedResources, templates, listedPrompts] = await Promise.all([
    tools ? client.listTools(undefined, request) : undefined,
    resources ? client.listResources(undefined, request) : undefined,
    resources ? client.listResourceTemplates(undefined, request) : undefined,
    prompts ? client.listPrompts(undefined, request) : undefined,
  ]);
  if (listedTools) storeTools(target, listedTools.tools);
  const spoken = client.getNegotiatedProtocolVersion();
  const offered = client.getDiscoverResult()?.supportedVersions ?? [];
  return {
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    revisions: { spoken, offered, handshake: offered.length === 0 && spoken !== undefined ? [spoken] : [] },
    capabilities: client.getServerCapabilities(),
    tools: listedTools?.tools ?? [],
    resources: listedResources?.resources ?? [],
    resourceTemplates: templates?.resourceTemplates ?? [],
    prompts: listedPrompts?.prompts ?? [],
    ...(await skillsOf({ client, request })),
    suggestions: await suggestionsFor(listedPrompts?.prompts ?? [], { client, request }),
  };
}

/** The extension of skills. */
const SKILLS = 'io.modelcontextprotocol/skills';

async function skillsOf({
  client,
  request,
}: Pick<CommandSession, 'client' | 'request'>): Promise<Pick<Survey, 'skills'>> {
  if (client.getServerCapabilities()?.extensions?.[SKILLS] === undefined) return {};
  const { SkillsClient } = await loadOfficialSkills();
  return { skills: await new SkillsClient(client, { skipInvalid: true }).list({}, request) };
}

async function suggestionsFor(
  prompts: readonly Prompt[],
  { client, request }: Pick<CommandSession, 'client' | 'request'>,
): Promise<Suggestions> {
  if (!client.getServerCapabilities()?.completions) return {};
  const complete = async (prompt: string, name: string): Promise<readonly (readonly [string, readonly string[]])[]> => {
    const question = { ref: { type: 'ref/prompt' as const, name: prompt }, argument: { name, value: '' } };
    // An argument without completions may be answered with an error, which says nothing about the prompt.
    const { values } = (await client.complete(question, request).catch(() => undefined))?.completion ?? { values: [] };
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
