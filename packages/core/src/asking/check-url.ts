/** The URL of a page that a user is asked to open. */

/**
 * Checks the URL of a page before a user is asked to open it.
 * @returns the URL as text, as it travels
 * @throws TypeError for a URL that is not absolute, is neither `https` nor `http`, or has credentials in it
 */
export function checkUrl(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text))
    throw new TypeError(`elicitUrl() needs an absolute URL, not ${JSON.stringify(text.slice(0, 200))}.`);
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError(`elicitUrl() needs an https URL, not one with ${protocol}`);
  if (username !== '' || password !== '') throw new TypeError('The URL of elicitUrl() must hold no credentials.');
  return text;
}
