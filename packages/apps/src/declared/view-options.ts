/** What an author says about a view. */
import type { CacheHints, Icon } from '@sigil-mcp/core';

/** The origins that a view may reach; hosts block all others. Each is written like `https://api.example.com` or `https://*.example.com`. */
export interface ViewPolicy {
  /** For `fetch`, `XMLHttpRequest`, `WebSocket` and `EventSource`; none if left out. */
  readonly connectDomains?: readonly string[];
  /** For scripts, styles, images, fonts and media; none if left out. */
  readonly resourceDomains?: readonly string[];
  /** For frames within the view; none if left out. */
  readonly frameDomains?: readonly string[];
  /** For `<base href>`; none if left out. */
  readonly baseUriDomains?: readonly string[];
}

/** What a view may ask the browser for. */
export type ViewPermission = 'camera' | 'microphone' | 'geolocation' | 'clipboardWrite';

/** What hosts have to know of a view. */
export interface ViewSettings {
  /** The origins that it loads from or connects to; nothing outside the page if left out. */
  readonly csp?: ViewPolicy;
  /** What it asks the browser for. Hosts may refuse. Nothing if left out. */
  readonly permissions?: readonly ViewPermission[];
  /** Whether the host draws a border and a background; the host decides if left out. */
  readonly border?: boolean;
  /** An origin of its own for the view, in the form that the host prescribes; that of the host if left out. */
  readonly domain?: string;
}

/** The options of `@View`. */
export interface ViewOptions extends ViewSettings {
  /**
   * The page, as a path from the source file that names it: one HTML5 document with its styles and scripts in it. Left out for a method that
   * returns the HTML.
   * @example file: './chart.html'
   */
  readonly file?: string;
  /** The name that clients show; that of the member if left out. */
  readonly name?: string;
  /** A label for people; clients show the name if left out. */
  readonly title?: string;
  /** What it shows, for people and models; none if left out. */
  readonly description?: string;
  /** How long the page may be cached, and by which caches; the server's setting if left out. */
  readonly cache?: CacheHints;
  /** Pictures that clients show for it; none if left out. */
  readonly icons?: readonly Icon[];
}

/** The names of all lists of a policy. */
export const CSP_LISTS = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;

/** All permissions. */
export const PERMISSIONS: readonly ViewPermission[] = ['camera', 'microphone', 'geolocation', 'clipboardWrite'];
