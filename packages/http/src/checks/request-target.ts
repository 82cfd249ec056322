/**
 * The target of a request. A request to a proxy has the whole URL (absolute form), and so may one to a server: then the host in the
 * URL counts, and the `Host` header is ignored.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
import type { RequestHeaders } from '@sigil-mcp/core';

type HeaderValue = RequestHeaders[string];

const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** The host, with its port, that a request is sent to, if it names one. */
export function hostOf(target: string, header: HeaderValue): string | undefined {
  const named = isPath(target) ? undefined : ABSOLUTE.exec(target)?.[1];
  return named ?? (typeof header === 'string' ? header : undefined);
}

/** The path of a target, without its query. */
export function pathOf(target: string): string {
  const [path = ''] = (isPath(target) ? target : target.replace(ABSOLUTE, '')).split('?');
  return path;
}

/** The query of a target. */
export function queryOf(target: string): URLSearchParams {
  const at = target.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : target.slice(at));
}

function isPath(target: string): boolean {
  return target.startsWith('/');
}
