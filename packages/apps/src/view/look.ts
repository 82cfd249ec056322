/** Gives a page the look of its host: the theme, the CSS variables and the fonts. */
import type { PageDocument } from './host-channel';

/**
 * How a view is shown: within the conversation, over the whole screen, or floating over it.
 *
 * What a host says about itself and the place of a view in it.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export type DisplayMode = 'inline' | 'fullscreen' | 'pip';

/** The room that a view has: a fixed size in pixels, or the largest that it may take. */
export interface ContainerDimensions {
  readonly width?: number;
  readonly maxWidth?: number;
  readonly height?: number;
  readonly maxHeight?: number;
}

/** The surroundings of a view. Every member is optional: hosts differ. */
export interface HostContext {
  /** The call that the view belongs to. */
  readonly toolInfo?: { readonly id?: string | number; readonly tool: { readonly name: string } };
  readonly theme?: 'light' | 'dark';
  readonly styles?: {
    /** Values of CSS variables such as `--color-text-primary`. */
    readonly variables?: Readonly<Record<string, string | undefined>>;
    /** CSS that loads the fonts of the host. */
    readonly css?: { readonly fonts?: string };
  };
  readonly displayMode?: DisplayMode;
  readonly availableDisplayModes?: readonly DisplayMode[];
  readonly containerDimensions?: ContainerDimensions;
  /** BCP 47, such as `en-US`. */
  readonly locale?: string;
  /** IANA, such as `Europe/Zurich`. */
  readonly timeZone?: string;
  readonly userAgent?: string;
  readonly platform?: 'web' | 'desktop' | 'mobile';
  readonly deviceCapabilities?: { readonly touch?: boolean; readonly hover?: boolean };
  /** Pixels. */
  readonly safeAreaInsets?: {
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
    readonly left: number;
  };
}

/** A host that has accepted a view. */
export interface ConnectedHost {
  readonly name: string;
  readonly version: string;
  /** What it can do for views, such as `openLinks`, `serverTools` and `logging`; hosts may refuse a request anyway. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly context: HostContext;
}

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
