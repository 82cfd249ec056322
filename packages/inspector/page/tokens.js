/** The tokens of texts and definitions: the program counts or estimates them, and the page shows them when they are known. */
import { post } from './api.js';
import { html, useEffect, useState } from './markup.js';

/**
 * The tokens of each text and each entry, empty until they are counted, and the word before a number that is an estimate.
 * @param {{ texts?: readonly string[], entries?: readonly { kind: string, listed: any }[] }} counted
 * @returns {{ readonly counts: readonly number[], readonly about: string }}
 */
export function useTokens(counted) {
  const [answer, setAnswer] = useState(/** @type {any} */ ({}));
  const key = JSON.stringify(counted);
  useEffect(() => {
    let isOld = false;
    setAnswer({});
    void post('tokens', counted).then((answered) => {
      if (!isOld) setAnswer(answered);
    });
    return () => {
      isOld = true;
    };
  }, [key]);
  return { counts: answer.counts ?? [], about: answer.encoding === 'estimate' ? 'about ' : '' };
}

/** The sum of the tokens, such as `1,024`. @param {{ texts?: readonly string[], entries?: readonly { kind: string, listed: any }[] }} props */
export function Tokens({ texts, entries }) {
  const { counts, about } = useTokens({ ...(texts && { texts }), ...(entries && { entries }) });
  return html`${counts.length === 0 ? '…' : `${about}${sumOf(counts).toLocaleString('en')}`}`;
}

/** @param {readonly number[]} counts */
export function sumOf(counts) {
  return counts.reduce((sum, count) => sum + count, 0);
}
