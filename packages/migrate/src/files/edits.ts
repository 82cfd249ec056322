/** Changes of a text, by positions of the text as it was: everything between them stays byte for byte. */

/** A part of the text, and its replacement. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The changes of one text. A part within another one that is replaced is replaced with it. */
export class Edits {
  readonly #all: Edit[] = [];

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  replace(start: number, end: number, text: string): void {
    this.#all.push({ start, end, text });
  }

  insert(at: number, text: string): void {
    this.replace(at, at, text);
  }

  /** A part of the text with the changes within it. */
  apply(text: string, start = 0, end = text.length): string {
    let result = '';
    let done = start;
    for (const edit of this.#ordered()) {
      if (edit.start < done || edit.end > end) continue;
      result += text.slice(done, edit.start) + edit.text;
      done = edit.end;
    }
    return result + text.slice(done, end);
  }

  /** Where a position of the text is after the changes. */
  moved(position: number): number {
    let shift = 0;
    let done = 0;
    for (const { start, end, text } of this.#ordered()) {
      if (start > position) break;
      if (start < done) continue;
      shift += text.length - (Math.min(end, position) - start);
      done = end;
    }
    return position + shift;
  }

  /** Whether a part of the text is replaced as a whole. */
  covers(start: number, end: number): boolean {
    return this.#all.some((edit) => edit.start < edit.end && edit.start <= start && end <= edit.end);
  }

  /** The change that replaces a part of the text as a whole; undefined for a part of which something stays where it is. */
  around(start: number, end: number): Edit | undefined {
    let done = 0;
    for (const edit of this.#ordered()) {
      if (edit.start < done) continue;
      done = edit.end;
      if (edit.start < edit.end && edit.start <= start && end <= edit.end) return edit;
    }
    return undefined;
  }

  /** The start of the replaced part around a position; the position itself if it is in none. */
  outside(position: number): number {
    const around = this.#all.filter(({ start, end }) => start < position && position < end);
    return Math.min(position, ...around.map(({ start }) => start));
  }

  /** In the order of the text; of two at one place the wider one first, insertions as they came. */
  #ordered(): readonly Edit[] {
    return this.#all
      .map((edit, index) => ({ edit, index }))
      .sort((a, b) => a.edit.start - b.edit.start || insertsFirst(a.edit, b.edit) || a.index - b.index)
      .map(({ edit }) => edit);
  }
}

function insertsFirst(a: Edit, b: Edit): number {
  const [isA, isB] = [a.start === a.end, b.start === b.end];
  if (isA !== isB) return isA ? -1 : 1;
  return isA ? 0 : b.end - a.end;
}
