/** Gives a page the look of its host: the theme, the CSS variables and the fonts. */
import type { PageDocument } from './browser';
import type { HostContext } from './host-context';

const FONTS = 'sigil-host-fonts';

/**
 * Sets `data-theme` and `color-scheme` of the document, its variables and its fonts. What the host leaves out stays as it is, so the CSS
 * of a page needs a default for each variable.
 */
export function applyLook(page: PageDocument, { theme, styles }: HostContext): void {
  const root = page.documentElement;
  if (theme) {
    root.setAttribute('data-theme', theme);
    root.style.colorScheme = theme;
  }
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (name.startsWith('--') && value !== undefined) root.style.setProperty(name, value);
  if (styles?.css?.fonts !== undefined) applyFonts(page, styles.css.fonts);
}

function applyFonts(page: PageDocument, css: string): void {
  const sheet = page.getElementById(FONTS) ?? page.createElement('style');
  sheet.id = FONTS;
  sheet.textContent = css;
  page.head.append(sheet);
}
