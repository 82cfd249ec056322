/** A server with an entry of every kind, behind an endpoint that wants tokens of one issuer. */
import {
  Caller,
  Complete,
  Feature,
  McpContext,
  Prompt,
  Resource,
  Scopes,
  Tool,
  createServer,
  type Server,
} from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { jwt } from '@sigil-mcp/oauth';
import { issuer as openIssuer, type TestIssuer } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';

export const RESOURCE = 'https://mcp.example.com/mcp';

class Title {
  @IsString() title!: string;
}

@Feature()
@Scopes('notes:read')
class Notes {
  @Tool('Counts notes')
  @Scopes('notes:count')
  async count(caller: Caller, context: McpContext): Promise<string> {
    context.log.info(`for ${caller.id}`);
    await context.progress(1, 1);
    return caller.id;
  }

  @Resource('notes://all')
  all(): string {
    return 'milk';
  }

  @Resource('notes://by/{title}')
  one({ title }: Title): string {
    return title;
  }

  @Complete('title', 'one')
  titles(): string[] {
    return ['milk'];
  }

  @Prompt('Sums up')
  sumUp(): string {
    return 'Sum up';
  }
}

/** What the ways to its entries want; all others want nothing but a good token. */
export const WANTED: Readonly<Record<string, readonly string[]>> = {
  'POST tools/call': ['notes:read', 'notes:count'],
  'POST resources/read': ['notes:read'],
  'POST resources/subscribe': ['notes:read'],
  'POST prompts/get': ['notes:read'],
  'POST completion/complete': ['notes:read'],
};

/** Both sides of it. */
export interface GuardedNotes {
  readonly issuer: TestIssuer;
  readonly server: Server;
  readonly url: string;
  close(): Promise<void>;
}

/** Opens both. */
export async function openGuardedNotes(): Promise<GuardedNotes> {
  const issuer = await openIssuer({ audience: RESOURCE, algorithms: ['ES256', 'ES384'] });
  const auth = jwt({
    issuer: issuer.url,
    resource: RESOURCE,
    algorithms: ['ES256'],
    scopes: ['notes:read'],
    implies: { 'notes:admin': ['notes:read', 'notes:count'] },
    clockTolerance: 0,
    // A key that is not known is looked for with each token, so that it is known not to be there.
    keyCooldown: 1,
  });
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    features: [Notes],
    logger: false,
  });
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, sse: true, auth });
  await server.listen(transport);
  const close = async (): Promise<void> => {
    await server.close();
    await issuer.close();
  };
  return { issuer, server, url: transport.url ?? '', close };
}
