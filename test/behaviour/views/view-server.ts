/** Servers with one view, whose metadata is written by hand: they may be as wrong as a test needs. */
import { createServer, contents, resource, tool, type Server } from '@sigil-mcp/core';
import { inlineBridge } from '@sigil-mcp/apps';

/** A view and its surroundings. */
export interface ViewDefinition {
  /** The content of the body, after the bridge. */
  readonly body: string;
  /** The `csp` of the resource. */
  readonly csp?: Readonly<Record<string, string[]>>;
  readonly mimeType?: string;
  /** The whole page, instead of one with the bridge. */
  readonly html?: string;
}

const URI = 'ui://test/view';
const INPUT = { type: 'object', properties: { name: { type: 'string' } } } as const;
const greet = (input: unknown): { greeting: string } => {
  const { name = 'you' } = input as { readonly name?: string };
  return { greeting: `Hello ${name}` };
};

/** A whole page with the bridge. */
export function pageWith(body: string): string {
  return inlineBridge(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Test</title></head><body>
<script src="@sigil-mcp/apps/view"></script>
${body}
</body></html>`);
}

/** A page whose script runs these lines, with `view` connected and `show` writing a paragraph. */
export function scripted(...lines: readonly string[]): ViewDefinition {
  const show =
    "const show = (text) => { const p = document.createElement('p'); p.textContent = text; document.body.append(p); };";
  return { body: `<script>\n${show}\nconst view = connectView();\n${lines.join('\n')}\n</script>` };
}

/** A server whose tool `greet` shows the view; `again` is for views alone, and `secret` for the model alone. */
export function viewServer({ body, csp, html, mimeType = 'text/html;profile=mcp-app' }: ViewDefinition): Server {
  const meta = (visibility?: string[]) => ({ ui: { resourceUri: URI, ...(visibility && { visibility }) } });
  return createServer({
    name: 'views',
    version: '1.0.0',
    logger: false,
    features: [
      tool('greet', { description: 'Greets', input: INPUT, meta: meta() }, greet),
      tool('again', { description: 'Greets again', input: INPUT, meta: meta(['app']) }, greet),
      tool('secret', { description: 'For the model', input: INPUT, meta: meta(['model']) }, greet),
      tool('plain', { description: 'Without a view', input: INPUT }, greet),
      resource(URI, { name: 'View', mimeType }, () =>
        contents({ data: html ?? pageWith(body), mimeType, ...(csp && { meta: { ui: { csp: { ...csp } } } }) }),
      ),
    ],
  });
}
