/** The page of an issuer: "Who are you?" */
import type { People } from './issued-tokens';

/** The request of a client, as the page shows it. */
export interface ShownRequest {
  readonly client: string;
  /** The address of the form: this request, with all of its parameters. */
  readonly action: string;
  readonly people: People;
}

/** The page, with one button for each user. */
export function signInPage({ client, action, people }: ShownRequest): string {
  const buttons = Object.entries(people).map(([name, { scopes = [] }]) => {
    const may = scopes.length === 0 ? 'no scopes' : scopes.join(', ');
    return `<button name="person" value="${escaped(name)}"><b>${escaped(name)}</b><br>${escaped(may)}</button>`;
  });
  return page(
    'Who are you?',
    `<p><b>${escaped(client)}</b> wants to use your server. Choose a user: there are no passwords, because this authorization server
is for development only.</p>
<form method="post" action="${escaped(action)}">${buttons.join('\n')}</form>`,
  );
}

/** The page for a request that cannot be sent back to its client. */
export function problemPage(problem: string): string {
  return page('This does not work', `<p>${escaped(problem)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 10vh auto; padding: 0 1rem; }
button { display: block; width: 100%; margin: 0.5rem 0; padding: 0.75rem 1rem; font: inherit; text-align: left; cursor: pointer; }
</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
