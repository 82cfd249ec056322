/** The origins that a view may reach: how an author writes them, and which addresses they cover. */

/** An origin of a content security policy, read. */
export interface Origin {
  /** Without the colon. */
  readonly scheme: Scheme;
  /** In lower case, without the wildcard. */
  readonly host: string;
  /** The port, also if it is the usual one of the scheme. */
  readonly port: string;
  /** Whether it covers all subdomains of the host, and not the host itself. */
  readonly isWildcard: boolean;
}

type Scheme = keyof typeof PORTS;

const PORTS = { http: '80', https: '443', ws: '80', wss: '443' } as const;

/** What a policy for the first scheme permits as well: the same with encryption. */
const UPGRADES: Readonly<Record<string, string>> = { http: 'https', ws: 'wss' };

const LABEL = '[a-z\\d_](?:[a-z\\d_-]*[a-z\\d_])?';
const NAME = `${LABEL}(?:\\.${LABEL})*`;
// Nothing else can be in a policy: a space or a semicolon in an origin would begin another directive.
const WRITTEN = new RegExp(
  `^(https?|wss?)://(?:(\\*)\\.(?=[^.]+\\.))?(${NAME}|\\[[\\da-f:.]+\\])(?::(\\d{1,5}))?$`,
  'i',
);

/** Reads an origin of a policy; undefined if it is malformed. @example readOrigin('https://*.example.com') */
export function readOrigin(text: unknown): Origin | undefined {
  const found = typeof text === 'string' ? WRITTEN.exec(text) : null;
  if (!found) return undefined;
  const [, scheme = '', star, host = '', port] = found;
  if (Number(port ?? 1) > 65_535 || Number(port ?? 1) === 0) return undefined;
  // The pattern permits these schemes alone.
  const known = scheme.toLowerCase() as Scheme;
  return { scheme: known, host: host.toLowerCase(), port: port ?? PORTS[known], isWildcard: star !== undefined };
}

/** The origin of an address, as an author would write it into a policy; undefined for an address without a host. */
export function originOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && Object.hasOwn(PORTS, url.protocol.slice(0, -1)) ? `${url.protocol}//${url.host}` : undefined;
}

/** Whether one of the origins of a policy covers another origin, as browsers decide it. */
export function covers(policy: readonly Origin[], wanted: Origin): boolean {
  return policy.some((origin) => coversScheme(origin, wanted) && coversHost(origin, wanted));
}

/** Whether it is on the machine of the user, and therefore another machine for each of them. */
export function isLoopback({ host }: Origin): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function coversScheme(origin: Origin, { scheme, port }: Origin): boolean {
  if (origin.scheme === scheme) return origin.port === port;
  if (UPGRADES[origin.scheme] !== scheme) return false;
  return origin.port === port || (origin.port === PORTS[origin.scheme] && port === PORTS[scheme]);
}

function coversHost({ host, isWildcard }: Origin, wanted: Origin): boolean {
  if (!isWildcard) return !wanted.isWildcard && host === wanted.host;
  return wanted.host.endsWith(`.${host}`) || (wanted.isWildcard && wanted.host === host);
}
