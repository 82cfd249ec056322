/**
 * The Content Security Policy of a view (MCP Apps), from the metadata of its resource, for clients that show views.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#4-content-security-policy-enforcement
 */

/** The origins that a view declares. */
export interface ViewCsp {
  readonly connectDomains?: readonly string[];
  readonly resourceDomains?: readonly string[];
  readonly frameDomains?: readonly string[];
  readonly baseUriDomains?: readonly string[];
}

/** The policy as a header. Hosts may be stricter, and none may allow more. */
export function contentSecurityPolicy(csp: ViewCsp = {}): string {
  const resources = sourcesOf(csp.resourceDomains);
  const directives: readonly (readonly [string, readonly string[]])[] = [
    ['default-src', []],
    ['script-src', ["'self'", "'unsafe-inline'", ...resources]],
    ['style-src', ["'self'", "'unsafe-inline'", ...resources]],
    ['img-src', ["'self'", 'data:', ...resources]],
    ['media-src', ["'self'", 'data:', ...resources]],
    ['font-src', ["'self'", ...resources]],
    ['connect-src', sourcesOf(csp.connectDomains)],
    ['frame-src', sourcesOf(csp.frameDomains)],
    ['object-src', []],
    ['base-uri', csp.baseUriDomains ? sourcesOf(csp.baseUriDomains) : ["'self'"]],
  ];
  return directives.map(([name, sources]) => `${name} ${sources.join(' ') || "'none'"}`).join('; ');
}

/** An entry with a space, a quote, a comma or a semicolon would add something else to the policy: hosts leave it out. */
function sourcesOf(domains: readonly string[] = []): readonly string[] {
  return domains.filter((domain) => typeof domain === 'string' && !/[;,'"\s]/.test(domain));
}

/** The members of `csp` that lift a violation of a directive. */
export function memberFor(directive: string): string {
  if (directive.startsWith('connect-src')) return 'connectDomains';
  if (directive.startsWith('frame-src')) return 'frameDomains';
  if (directive.startsWith('base-uri')) return 'baseUriDomains';
  return 'resourceDomains';
}
