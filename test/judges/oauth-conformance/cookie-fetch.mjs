/** A `fetch` that keeps cookies, as the browser does that a person would sign in with. */
export function cookieFetch() {
  const jars = new Map();
  return async (input, init = {}) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    const jar = jars.get(url.origin) ?? new Map();
    jars.set(url.origin, jar);
    const headers = new globalThis.Headers(init.headers ?? input.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '));
    const response = await fetch(input, { ...init, headers });
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (name !== undefined) jar.set(name, value);
    }
    return response;
  };
}
