/** Everything that a server shows to a model, requested at once. */
import { storeTools } from '../completion/known-tools';
import type { Session } from '../session/session';
import type { Client, Prompt, Resource, ResourceTemplate, Tool } from '../official-client';

/** The protocol revisions of a server. */
export interface Revisions {
  /** The revision of this connection. */
  readonly spoken: string | undefined;
  /** The revisions that the server supports without a handshake. */
  readonly offered: readonly string[];
  /** The newest revision that the server supports after a handshake; undefined if it supports none, or if this connection had one. */
  readonly handshake: string | undefined;
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
}

/** Requests everything that the server announces. */
export async function survey({ client, request, target }: Session): Promise<Survey> {
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
    revisions: { spoken, offered, handshake: undefined },
    capabilities: client.getServerCapabilities(),
    tools: listedTools?.tools ?? [],
    resources: listedResources?.resources ?? [],
    resourceTemplates: templates?.resourceTemplates ?? [],
    prompts: listedPrompts?.prompts ?? [],
  };
}
