/** The URL of a page that a user is asked to open. */
import { sigilError } from '../errors/catalogue';

/**
 * Checks the URL of a page before a user is asked to open it.
 * @returns the URL as text, as it travels
 * @throws SigilError for a URL that is not absolute, is neither `https` nor `http`, or has credentials in it
 */
export function checkUrl(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text)) throw sigilError('SIGIL_URL_NOT_ABSOLUTE', { url: JSON.stringify(text.slice(0, 200)) });
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') throw sigilError('SIGIL_URL_SCHEME', { scheme: protocol });
  if (username !== '' || password !== '') throw sigilError('SIGIL_URL_CREDENTIALS');
  return text;
}
