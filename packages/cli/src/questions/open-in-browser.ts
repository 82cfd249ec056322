/** The browser of the user at the terminal. */

/** Opens an address. Where there is no browser nothing happens: the address stands on the screen. */
export async function openInBrowser(address: URL): Promise<void> {
  const { default: open } = await import('open');
  const browser = await open(address.href).catch(() => undefined);
  browser?.on('error', () => undefined);
}
