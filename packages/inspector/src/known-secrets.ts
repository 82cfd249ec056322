/** The sensitive values that were seen, which are hidden in every place where their texts appear. */
import { isObject } from '@sigil-mcp/base';

/** Values that are known at the same time; of more, the oldest are forgotten. */
const MOST = 1000;
/** Characters of the shortest text that is hidden outside of its own place: a shorter one is a part of many words. */
const SHORTEST = 4;
/** Takes the place of a text. */
const HIDDEN = '[sensitive]';

/** Collects sensitive values. */
export class KnownSecrets {
  /** Every form in which a text may be written. */
  readonly #forms = new Set<string>();
  /** The longest first: one secret may be a part of another. Undefined after a change. */
  #longestFirst: readonly string[] | undefined;

  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  /** Learns what a copy of a value lacks. */
  learn(value: unknown, masked: unknown): void {
    if (value === masked) return;
    if (Array.isArray(value) && Array.isArray(masked))
      value.forEach((one, index) => this.learn(one, (masked as unknown[])[index]));
    else if (isObject(value) && isObject(masked))
      for (const [name, one] of Object.entries(value)) this.learn(one, masked[name]);
    else this.add(...textsIn(value));
  }

  add(...texts: readonly string[]): void {
    for (const text of texts) {
      if (text.length < SHORTEST) continue;
      for (const form of formsOf(text)) {
        this.#forms.delete(form);
        this.#forms.add(form);
      }
      this.#longestFirst = undefined;
    }
    for (const form of this.#forms) {
      if (this.#forms.size <= MOST) return;
      this.#forms.delete(form);
    }
  }

  /** A copy of a value in which they are hidden, in names as in values. */
  hide<T>(value: T): T {
    // The copy has the form of the value.
    return this.isEmpty ? value : (this.#copy(value) as T);
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'string') return this.hideIn(value);
    if (typeof value === 'number') return this.#forms.has(String(value)) ? HIDDEN : value;
    if (Array.isArray(value)) return value.map((one) => this.#copy(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.hideIn(name), this.#copy(one)]));
  }

  hideIn(text: string): string {
    this.#longestFirst ??= [...this.#forms].sort((one, other) => other.length - one.length);
    let shown = text;
    for (const form of this.#longestFirst) if (shown.includes(form)) shown = shown.replaceAll(form, HIDDEN);
    return shown;
  }
}

/** The names of members are words of the author's. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** As it is, in JSON, in JSON within JSON, in a URI. */
function formsOf(text: string): readonly string[] {
  const json = inJson(text);
  return [...new Set([text, json, inJson(json), inUri(text)])];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A text with half of a character cannot stand in a URI. */
function inUri(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
