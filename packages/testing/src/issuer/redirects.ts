/** The addresses to which an issuer sends a browser back: programs on this machine, and no web page. */

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
/** VS Code is called back by a page of its own, which opens the application. */
const PAGES_OF_APPLICATIONS: ReadonlySet<string> = new Set(['https://vscode.dev', 'https://insiders.vscode.dev']);
/** Schemes that a browser runs or shows itself. */
const BROWSER_SCHEMES = /^(?:javascript|data|file|blob|vbscript|about|view-source):$/;

/** Whether an address leads to a program on this machine. */
export function isLocalRedirect(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, origin } = new URL(address);
  if (protocol === 'http:') return LOOPBACK.test(hostname);
  if (protocol === 'https:') return LOOPBACK.test(hostname) || PAGES_OF_APPLICATIONS.has(origin);
  return !BROWSER_SCHEMES.test(protocol);
}

/** Whether an address is one of those that a client registered; on loopback, the port may differ (RFC 8252, section 7.3). */
export function isRegistered(address: string, registered: readonly string[]): boolean {
  return registered.some((each) => withoutPort(each) === withoutPort(address));
}

function withoutPort(address: string): string {
  const url = new URL(address);
  if (LOOPBACK.test(url.hostname)) url.port = '';
  return url.href;
}
