/** Tools that use the transport: they release their connection, or repeat an argument in a header. */
import { setTimeout as delay } from 'node:timers/promises';
import { Describe, Feature, McpContext, McpHeader, Tool } from '@sigil-mcp/core';
import { IsString, Length } from 'class-validator';

/** Milliseconds between the release of the connection and the answer. */
const ABSENCE = 100;

/** An argument that a proxy can route by. */
export class Routed {
  @Describe('The region that serves the call')
  @McpHeader('Region')
  @IsString()
  @Length(0, 200)
  region!: string;
}

/** Streams and headers. */
@Feature()
export class TransportTools {
  @Tool('Releases its connection before it answers, so that the client reconnects for the result', {
    name: 'test_reconnection',
  })
  async reconnection(context: McpContext): Promise<string> {
    context.releaseStream();
    await delay(ABSENCE, undefined, { signal: context.signal });
    return 'The result was waiting for the client to reconnect.';
  }

  @Tool('Takes an argument that clients repeat in a header', { name: 'test_x_mcp_header' })
  routed({ region }: Routed): string {
    return `Served in ${JSON.stringify(region)}.`;
  }
}
