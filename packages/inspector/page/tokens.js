/** The tokens of texts and definitions: the program counts them with its tokenizer, and the page shows them when they are known. */
import { post } from './api.js';
import { html, useEffect, useState } from './markup.js';

/**
 * The tokens of each text and each entry; empty until they are counted.
 * @param {{ texts?: readonly string[], entries?: readonly { kind: string, listed: any }[] }} counted
 * @returns {readonly number[]}
 */
export function useTokens(counted) {
  const [counts, setCounts] = useState(/** @type {readonly number[]} */ ([]));
  const key = JSON.stringify(counted);
  useEffect(() => {
    let isOld = false;
    setCounts([]);
    void post('tokens', counted).then((answer) => {
      if (!isOld) setCounts(answer.counts ?? []);
    });
    return () => {
      isOld = true;
    };
  }, [key]);
  return counts;
}

/** The sum of the tokens, such as `1,024`. @param {{ texts?: readonly string[], entries?: readonly { kind: string, listed: any }[] }} props */
export function Tokens({ texts, entries }) {
  const counts = useTokens({ ...(texts && { texts }), ...(entries && { entries }) });
  return html`${counts.length === 0 ? '…' : sumOf(counts).toLocaleString('en')}`;
}

/** @param {readonly number[]} counts */
export function sumOf(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}
