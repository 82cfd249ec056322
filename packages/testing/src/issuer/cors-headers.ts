/** The headers that let a page on this machine read answers, such as the one of an inspector. */
export function corsHeaders(origin: string | undefined): Readonly<Record<string, string>> {
  if (origin === undefined || !/^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
    vary: 'origin',
  };
}
