/** Writes the bridge into a page: hosts block scripts of other origins, so a view contains all that it runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The script element that stands for the bridge in a page; it may say when it is to be loaded. */
const PLACE = /<script(?=\s[^>]*?\bsrc\s*=\s*(["']?)@sigil-mcp\/apps\/view\1[\s>])[^>]*>\s*<\/script\s*>/gi;

/** The text of the script; the build writes it here, so that a bundled server needs no file of this package. */
declare const SIGIL_VIEW_SCRIPT: string | undefined;

/**
 * Replaces each script element whose `src` is `@sigil-mcp/apps/view` with the bridge, which defines `connectView`.
 * @param html a page as its author wrote it
 * @param script returns the text of the script; the bridge if left out
 */
export function inlineBridge(html: string, script = bridgeScript): string {
  // A function, because `$&` in a text would be replaced.
  return html.replace(PLACE, () => `<script>${script()}</script>`);
}

/** The bridge as the text of a script. */
export function bridgeScript(): string {
  if (typeof SIGIL_VIEW_SCRIPT === 'string') return SIGIL_VIEW_SCRIPT;
  return readFileSync(join(__dirname, '..', 'dist', 'view', 'page-script.js'), 'utf8').trimEnd();
}
