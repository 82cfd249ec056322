/** The few parts of a browser that the bridge uses: a server's sources are compiled without the types of pages. */

/** A message from another window. */
export interface WindowMessage {
  readonly source: unknown;
  readonly data: unknown;
}

/** An element, as the look and the size of a view need it. */
export interface PageElement {
  id: string;
  textContent: string | null;
  readonly style: { height: string; colorScheme: string; setProperty(name: string, value: string): void };
  setAttribute(name: string, value: string): void;
  append(child: PageElement): void;
  getBoundingClientRect(): { readonly height: number };
}

/** The document of a view. */
export interface PageDocument {
  readonly title: string;
  readonly documentElement: PageElement;
  readonly head: PageElement;
  readonly body: PageElement | null;
  createElement(name: string): PageElement;
  getElementById(id: string): PageElement | null;
}

/** Watches the size of elements. */
export interface SizeWatcher {
  observe(element: PageElement): void;
  disconnect(): void;
}

/** The window of a view. */
export interface PageWindow {
  readonly parent: { postMessage(message: unknown, origin: string): void };
  readonly document: PageDocument;
  readonly innerWidth: number;
  readonly ResizeObserver?: new (changed: () => void) => SizeWatcher;
  addEventListener(type: 'message', listener: (message: WindowMessage) => void): void;
  removeEventListener(type: 'message', listener: (message: WindowMessage) => void): void;
  requestAnimationFrame(draw: () => void): unknown;
  /** Reports an error as if nothing had caught it: the console has it, and the tests of the view. */
  reportError(error: unknown): void;
}
