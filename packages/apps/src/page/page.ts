/** What is known of the HTML of a view once it was read: what is wrong with it, what it loads, and which tools it calls. */

/**
 * What decides whether an address may be loaded: a list of the policy (`connectDomains`, `resourceDomains`, ...), or nothing, because
 * hosts never permit it.
 */
export type LoadKind = 'connect' | 'resource' | 'frame' | 'base' | 'never';

/** An address that a page loads or fetches. */
export interface PageLoad {
  readonly kind: LoadKind;
  /** As it is written in the page. */
  readonly url: string;
  /** What loads it, in words: `<script src>`, `fetch()`. */
  readonly by: string;
  /** In the page, from 1. */
  readonly line: number;
}

/** A tool that a page calls by its name. */
export interface PageCall {
  readonly tool: string;
  /** In the page, from 1. */
  readonly line: number;
}

/** Something that is wrong with a page. */
export interface PageFault {
  /** The fault, in words that follow "line 3, column 5: ". */
  readonly fault: string;
  readonly line: number;
  readonly column: number;
}

/** A page, read. */
export interface HtmlPage {
  readonly faults: readonly PageFault[];
  readonly loads: readonly PageLoad[];
  readonly calls: readonly PageCall[];
  /** All texts in its scripts. */
  readonly words: ReadonlySet<string>;
}

/** Receives what the parts of a page are found to contain. */
export interface PageFindings {
  readonly faults: PageFault[];
  readonly loads: PageLoad[];
  readonly calls: PageCall[];
  readonly words: Set<string>;
}
