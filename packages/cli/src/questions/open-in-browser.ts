/** The browser of the user at the terminal. */

/** Opens an address. Does nothing without a browser: the address is on the screen. */
export async function openInBrowser(address: URL): Promise<void> {
  const { default: open } = await import('open');
  const browser = await open(address.href).catch(() => undefined);
  browser?.on('error', () => undefined);
}
