/**
 * Which web pages reach a server. The `Host` header is checked against DNS rebinding: a page with another host name must not reach a local
 * server. The `Origin` header says which page sends a request; other programs send none.
 */
import type { HttpRequest } from '../port';
import { refusal } from '../refusals/refusal';
import type { HeadCheck } from './check';
import { countHeader } from './repeated-headers';
import { hostOf } from './request-target';

/** The number of accepted hosts that are remembered, as they were sent. */
const MOST_KNOWN_HOSTS = 100;

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses with 421 a host that is not one of the allowed names or, without such names and bound to loopback, not a loopback name;
 * with 400 a request of HTTP/1.1 without the header.
 */
export const checkHost: HeadCheck = (request, scope) => {
  const { headers, target, httpVersion } = request;
  // HTTP/2 has `:authority` instead of the header.
  const authority = headers[':authority'];
  const host = hostOf(target, authority ?? headers['host']) ?? '';
  checkOneHost(request);
  // Clients use the same few names again and again.
  if (host !== '' && scope.knownHosts.has(host)) return;
  const { settings, isLoopback } = scope;
  // HTTP/1.1 requires the header, even if there is nothing to compare it with.
  if (headers['host'] === undefined && httpVersion === '1.1') throw refusal(400, 'The Host header is missing.');
  const allowed = settings.allowedHosts ?? (isLoopback ? LOOPBACK_NAMES : undefined);
  if (!allowed) return;
  if (isAllowedHost(host, allowed)) {
    if (scope.knownHosts.size < MOST_KNOWN_HOSTS) scope.knownHosts.add(host);
    return;
  }
  throw refusal(
    421,
    `The Host ${JSON.stringify(host.slice(0, 200))} is not served here. If it should be, name it in allowedHosts (ALLOWED_HOSTS).`,
  );
};

/** Refuses with 403 an origin that is neither listed nor the server's own. */
export const checkOrigin: HeadCheck = ({ headers, target }, { settings, isLoopback }) => {
  const { origin } = headers;
  if (typeof origin !== 'string' || settings.allowedOrigins.includes(origin)) return;
  // The server's own pages, but only with a checked Host header; a rebound name would otherwise be its own origin.
  const host = hostOf(target, headers['host']) ?? '';
  const hostWasChecked = isLoopback || settings.allowedHosts !== undefined;
  if (hostWasChecked && (origin === `http://${host}` || origin === `https://${host}`)) return;
  throw refusal(
    403,
    `The Origin ${JSON.stringify(origin.slice(0, 200))} may not send requests here. If it should, name it in allowedOrigins (ALLOWED_ORIGINS).`,
  );
};

/** Refuses two Host headers with 400: Node drops all but the first, and an attacker may want a proxy to use the other one. */
export function checkOneHost({ rawHeaders }: Pick<HttpRequest, 'rawHeaders'>): void {
  if (countHeader(rawHeaders, 'host') > 1) throw refusal(400, 'The Host header came more than once.');
}

/** Whether a host is one of the allowed ones, ignoring case; an allowed name without a port allows all ports. */
export function isAllowedHost(host: string, allowed: readonly string[]): boolean {
  const lower = host.toLowerCase();
  const name = hostName(lower);
  return name !== undefined && allowed.some((entry) => entry.toLowerCase() === lower || entry.toLowerCase() === name);
}

/** The name in a `Host` header, without its port; undefined for an invalid host. */
function hostName(host: string): string | undefined {
  const found = /^(\[[0-9a-f:.]+\]|[^:[\]\s/@]+)(?::\d{1,5})?$/.exec(host);
  return found?.[1];
}
