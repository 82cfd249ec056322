/** The text for a user who tries the server. */

/** Commands to copy. @param url of the endpoint @param issuer of the development issuer */
export function howToUse(url: string, issuer: string): string {
  return `
The notes are at ${url}. Press Ctrl+C to stop the server. No token is needed to ask what this is:

  npx sigil call ${url} about

Sign in as reader, writer, admin or stranger. Your browser opens, and no password is needed:

  npx sigil call ${url} listNotes --sign-in
  claude mcp add --transport http notes ${url}

Without a browser, get a token from the issuer:

  export SIGIL_TOKEN=$(curl -s "${issuer}/token?as=writer")
  npx sigil inspect ${url}
  npx sigil call ${url} addNote title=milk text='Two bottles.'
  npx sigil call ${url} listNotes

reader lacks a scope for addNote, and the answer names it; purgeNotes exists only for admin;
stranger, of another organisation, sees none of these notes.
`;
}
