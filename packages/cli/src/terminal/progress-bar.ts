/** The progress of a call, as a bar or as text. */
import { visible } from '@sigil-mcp/core/adapter';
import type { Styles } from './styles';
import { graphemes, widthOf } from './text-width';

/** A progress report of a server. */
export interface ShownProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const CELLS = 24;

/** A line with a bar if the total is known, cut to a width. */
export function progressBar(progress: ShownProgress, width: number, styles: Styles): string {
  const part = partOf(progress);
  const words = saidBy(progress);
  if (part === undefined) return cut(`… ${progress.progress}${words}`, width);
  const done = Math.round(part * CELLS);
  const percent = `${Math.round(part * 100)}`.padStart(3);
  const bar = `${styles.good('█'.repeat(done))}${styles.dim('░'.repeat(CELLS - done))}`;
  return `${bar} ${cut(`${percent} %${words}`, width - CELLS - 1)}`;
}

/** A report without numbers, cut to a width. */
export function reportLine(message: string, width: number): string {
  return cut(`…${saidBy({ progress: 0, message })}`, width);
}

/** The same, for output that cannot be redrawn. */
export function reportInWords(message: string): string {
  return `progress${saidBy({ progress: 0, message })}`;
}

/** The progress as text, for output that cannot be redrawn. */
export function progressInWords(progress: ShownProgress): string {
  const of = progress.total === undefined ? '' : ` of ${progress.total}`;
  return `progress ${progress.progress}${of}${saidBy(progress)}`;
}

function saidBy({ message }: ShownProgress): string {
  return message === undefined ? '' : `  ${visible(message).replace(/\s+/g, ' ')}`;
}

function partOf({ progress, total }: ShownProgress): number | undefined {
  if (total === undefined || total <= 0) return undefined;
  return Math.min(1, Math.max(0, progress / total));
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const grapheme of graphemes(text)) {
    if (widthOf(kept + grapheme) >= width) break;
    kept += grapheme;
  }
  return `${kept}…`;
}
