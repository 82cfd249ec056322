/** Tools that show what travels beside the messages: connections that are let go, headers that repeat an argument. */
import { setTimeout as delay } from 'node:timers/promises';
import { Describe, Feature, McpContext, McpHeader, Tool } from '@sigil-mcp/core';
import { IsString, Length } from 'class-validator';

/** Between letting the connection go and the answer, milliseconds. */
const ABSENCE = 100;

/** What a proxy can route by. */
export class Routed {
  @Describe('Where the call is to be served')
  @McpHeader('Region')
  @IsString()
  @Length(0, 200)
  region!: string;
}

/** Streams and headers. */
@Feature()
export class TransportTools {
  @Tool('Lets its connection go before it answers, so that the client comes back for the result', {
    name: 'test_reconnection',
  })
  async reconnection(context: McpContext): Promise<string> {
    context.releaseStream();
    await delay(ABSENCE, undefined, { signal: context.signal });
    return 'The result was waiting for the client to come back.';
  }

  @Tool('Takes an argument that clients repeat in a header', { name: 'test_x_mcp_header' })
  routed({ region }: Routed): string {
    return `Served in ${JSON.stringify(region)}.`;
  }
}
