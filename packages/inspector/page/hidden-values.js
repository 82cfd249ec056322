/** Sensitive values that the page never received: before a call is sent again, a person has to type them. */
import { html } from './markup.js';

const HIDDEN = /\[(?:sensitive|undeclared|hidden)\]/;

/** The ways to the hidden values in parameters. @param {any} value @param {string[]} way @returns {string[][]} */
export function hiddenIn(value, way = []) {
  if (typeof value === 'string') return HIDDEN.test(value) ? [way] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => hiddenIn(one, [...way, name]));
}

/**
 * A copy with the values in their places.
 * @param {any} value @param {Record<string, string>} typed by `nameOf` @param {string[]} way @returns {any}
 */
export function withTyped(value, typed, way = []) {
  if (typeof value === 'string') return HIDDEN.test(value) ? (typed[nameOf(way)] ?? value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((one, index) => withTyped(one, typed, [...way, String(index)]));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTyped(one, typed, [...way, name])]));
}

/** @param {string[]} way */
export function nameOf(way) {
  return way.join('.');
}

/** @param {{ ways: string[][], typed: Record<string, string>, onType: (typed: Record<string, string>) => void }} props */
export function HiddenValues({ ways, typed, onType }) {
  if (ways.length === 0) return null;
  return html`<fieldset class="hidden-values">
    <legend>Hidden values: this page does not have them</legend>
    ${ways
      .map(nameOf)
      .map(
        (name) =>
          html`<label
            >${name}
            <input
              type="password"
              autocomplete="off"
              data-hidden=${name}
              value=${typed[name] ?? ''}
              onInput=${(/** @type {any} */ event) => onType({ ...typed, [name]: event.target.value })}
          /></label>`,
      )}
  </fieldset>`;
}
