/** Where the tables and members of a TOML file are in its text. The file has been parsed before, so that it has no mistakes. */
import { parse } from 'smol-toml';
import type { Span } from './settings-text';

/** A line `[a.b]` or `[[a.b]]`. */
export interface TomlHead extends Span {
  /** The names from the top of the file. */
  readonly keys: readonly string[];
  readonly isList: boolean;
}

/** A member `a.b = value`, in a table or in braces. */
export interface TomlPair {
  /** The names from the top of the file. */
  readonly keys: readonly string[];
  /** Where its first name begins. */
  readonly from: number;
  readonly value: Span;
  /** The table that it is in; undefined before the first one. */
  readonly head: TomlHead | undefined;
  readonly isInline: boolean;
}

const BLANK = /(?:\s|#[^\n]*)*/y;
const SPACES = /[ \t]*/y;
const KEY = /"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[\w-]+/y;
/** A bare value ends with what may follow it; a date may have a space. */
const SCALARS = [
  /"""(?:\\[^]|[^\\])*?"{3,5}/y,
  /'''[^]*?'{3,5}/y,
  /"(?:\\.|[^"\\\n])*"/y,
  /'[^'\n]*'/y,
  /[^,\]}#\r\n]+/y,
];

/** All of a file, in its order; members in braces come before the member that holds them. */
export class TomlStatements {
  readonly heads: TomlHead[] = [];
  readonly pairs: TomlPair[] = [];
  #at = 0;

  /** @param text valid TOML */
  constructor(private readonly text: string) {
    for (this.#skip(BLANK); this.#at < this.text.length; this.#skip(BLANK)) {
      const head = this.heads.at(-1);
      if (this.text[this.#at] === '[') this.#head();
      else this.#pair({ path: head?.keys ?? [], head, isInline: false });
    }
  }

  #head(): void {
    const from = this.#at;
    const isList = this.text[from + 1] === '[';
    this.#at += isList ? 2 : 1;
    const keys = this.#keys();
    this.#at += isList ? 2 : 1;
    this.heads.push({ keys, isList, from, to: this.#at });
  }

  #pair({ path, head, isInline }: { path: readonly string[]; head: TomlHead | undefined; isInline: boolean }): void {
    const from = this.#at;
    const keys = [...path, ...this.#keys()];
    // The sign between name and value.
    this.#at += 1;
    this.#skip(SPACES);
    const start = this.#at;
    this.#value(keys, head);
    this.pairs.push({ keys, from, value: { from: start, to: this.#at }, head, isInline });
  }

  #keys(): string[] {
    const keys: string[] = [];
    for (;;) {
      this.#skip(SPACES);
      const raw = this.#skip(KEY);
      keys.push(/^["']/.test(raw) ? (Object.keys(parse(`${raw} = 0`))[0] ?? '') : raw);
      this.#skip(SPACES);
      if (this.text[this.#at] !== '.') return keys;
      this.#at += 1;
    }
  }

  #value(path: readonly string[], head: TomlHead | undefined): void {
    const open = this.text[this.#at];
    if (open === '[') this.#each(']', () => this.#value(path, head));
    else if (open === '{') this.#each('}', () => this.#pair({ path, head, isInline: true }));
    else {
      const from = this.#at;
      const found = SCALARS.map((form) => this.#skip(form)).find((raw) => raw !== '') ?? '';
      this.#at = from + found.trimEnd().length;
    }
  }

  #each(close: string, read: () => void): void {
    this.#at += 1;
    for (;;) {
      this.#skip(BLANK);
      const next = this.text[this.#at];
      if (next === close || next === undefined) break;
      if (next === ',') this.#at += 1;
      else read();
    }
    this.#at += 1;
  }

  /** Moves past what a form matches here, which may be nothing. */
  #skip(form: RegExp): string {
    form.lastIndex = this.#at;
    const [found = ''] = form.exec(this.text) ?? [];
    this.#at += found.length;
    return found;
  }
}
