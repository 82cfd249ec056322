/** Tells the host the size of a page, so that it shows all of it without a scroll bar. */
import type { PageWindow } from './host-channel';

/** The size of a page in pixels. */
export interface ViewSize {
  readonly width: number;
  readonly height: number;
}

/** Reports the size now and after each change, at most once a frame. Returns a function that ends it. */
export function reportSize(page: PageWindow, report: (size: ViewSize) => void): () => void {
  let last: ViewSize | undefined;
  let isWaiting = false;
  const measure = (): void => {
    isWaiting = false;
    const size = { width: Math.ceil(page.innerWidth), height: heightOf(page) };
    if (last && last.width === size.width && last.height === size.height) return;
    last = size;
    report(size);
  };
  const changed = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    page.requestAnimationFrame(measure);
  };
  changed();
  if (!page.ResizeObserver) return () => undefined;
  const watcher = new page.ResizeObserver(changed);
  watcher.observe(page.document.documentElement);
  if (page.document.body) watcher.observe(page.document.body);
  return () => watcher.disconnect();
}

/** The height of the content. A page that fills its frame would report the height of the frame, and never become smaller. */
function heightOf({ document: { documentElement } }: PageWindow): number {
  const { height } = documentElement.style;
  documentElement.style.height = 'max-content';
  const measured = Math.ceil(documentElement.getBoundingClientRect().height);
  documentElement.style.height = height;
  return measured;
}
