/** The text for a user who tries the server. */

/** Commands to copy. @param url of the endpoint */
export function howToUse(url: string): string {
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listNotes","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`;
  return `
The notes are at ${url}. No token is needed to ask what this is:

  npx sigil call ${url} about

With one of the tokens above you see and may do more:

  export SIGIL_TOKEN=<the token of writer>
  npx sigil inspect ${url}
  npx sigil call ${url} addNote title=milk text='Two bottles.'
  npx sigil call ${url} listNotes

  curl ${url} -H "Authorization: Bearer $SIGIL_TOKEN" \\
    -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\
    -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: listNotes' \\
    -d '${call}'

reader lacks a scope for addNote, and the answer names it; purgeNotes exists only for admin;
stranger, of another organisation, sees none of these notes.
`;
}
