/** The URL of a page that a user is asked to open. */
import { sigilError } from '../errors/sigil-error';

/**
 * @returns the URL, as it travels
 * @throws SigilError for what no client should show to a user
 */
export function checkUrl(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text)) throw sigilError('SIGIL_URL_NOT_ABSOLUTE', { url: JSON.stringify(text.slice(0, 200)) });
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') throw sigilError('SIGIL_URL_SCHEME', { scheme: protocol });
  if (username !== '' || password !== '') throw sigilError('SIGIL_URL_CREDENTIALS');
  return text;
}
