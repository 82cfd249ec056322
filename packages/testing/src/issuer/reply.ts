/** The answers of an issuer over HTTP. */

/** No page elsewhere loads an answer, as a script for example. */
const GUARDS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};

/** An answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer with a JSON document. */
export function json(status: number, document: object): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...GUARDS },
    body: JSON.stringify(document),
  };
}

/** An answer with a page that other pages cannot frame, or with another text. */
export function text(status: number, body: string, type = 'text/html'): Reply {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    ...GUARDS,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  };
  return { status, headers, body };
}
