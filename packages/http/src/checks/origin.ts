/** Checks the `Origin` header: which web pages may send requests. Other programs send no such header. */
import { refusal } from '../refusals/refusal';
import type { HeadCheck } from './check';
import { hostOf } from './request-target';

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
