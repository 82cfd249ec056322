/** What a server offers to a client that cannot be told of changes. */
import type { ServerCapabilities } from '@sigil-mcp/protocol';
import type { Exchange } from '../../calls/exchange';

/** The same capabilities, without what nobody could deliver. */
export function withoutChanges({ tools, resources, prompts, ...others }: ServerCapabilities): ServerCapabilities {
  return {
    ...(tools && { tools: {} }),
    ...(resources && { resources: {} }),
    ...(prompts && { prompts: {} }),
    ...others,
  };
}

/** What it offers to the client of an exchange. */
export function offeredOn({ hearsChanges }: Exchange, capabilities: ServerCapabilities): ServerCapabilities {
  return hearsChanges === false ? withoutChanges(capabilities) : capabilities;
}
