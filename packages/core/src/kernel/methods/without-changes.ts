/** The capabilities that a server offers to a client that cannot receive notifications of changes. */
import type { ServerCapabilities } from '@sigil-mcp/protocol';
import type { Exchange } from '../../calls/exchange';

/** The same capabilities, without those that cannot be delivered. */
export function withoutChanges({ tools, resources, prompts, ...others }: ServerCapabilities): ServerCapabilities {
  return {
    ...(tools && { tools: {} }),
    ...(resources && { resources: {} }),
    ...(prompts && { prompts: {} }),
    ...others,
  };
}

/** The capabilities that it offers to the client of an exchange. */
export function offeredOn({ hearsChanges }: Exchange, capabilities: ServerCapabilities): ServerCapabilities {
  return hearsChanges === false ? withoutChanges(capabilities) : capabilities;
}
