/**
 * The target of a request. A request to a proxy has the whole URL (absolute form), and so may one to a server: then the host in the
 * URL counts, and the `Host` header is ignored.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */

const ABSOLUTE = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/** The host, with its port, that a request is sent to, if it names one. */
export function hostOf(target: string | undefined, header: string | undefined): string | undefined {
  return target === undefined || isPath(target) ? header : (ABSOLUTE.exec(target)?.[1] ?? header);
}

/** The path of a target, without its query. */
export function pathOf(target: string): string {
  const [path = ''] = (isPath(target) ? target : target.replace(ABSOLUTE, '')).split('?');
  return path;
}

function isPath(target: string): boolean {
  return target.startsWith('/');
}
