/** A server whose caller matters, for the examples of docs/authorization.md. */
import { Caller, createServer, Feature, Scopes, Tool } from '@sigil-mcp/core';

@Feature()
class Notes {
  @Tool('Says who calls')
  @Scopes('notes:read')
  owner(caller: Caller): string {
    return `${caller.kind} ${caller.id}`;
  }

  @Tool('Empties the notes')
  @Scopes('notes:write')
  empty(): string {
    return 'Empty.';
  }
}

export const server = createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false });
