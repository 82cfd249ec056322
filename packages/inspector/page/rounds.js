/** The rounds of a call that asks: what was asked and answered, what ran again, and what `context.once` has kept. */
import { shownTime } from './json-view.js';
import { html } from './markup.js';

/** @typedef {import('./traffic-row.js').Row} Row @typedef {import('./traffic-row.js').Passed} Passed */

/**
 * One run of the handler.
 * @typedef {object} Round
 * @property {number} number
 * @property {{ key: string, isKept: boolean }[]} steps of `context.once`
 * @property {{ words: string, isAgain: boolean }[]} effects that clients have seen: logs and progress
 * @property {{ words: string, answer: string, isInPlace: boolean }[]} questions
 */

/** The rounds of a call; one in a session, where the handler waits for each answer. @param {Row} row @returns {Round[]} */
export function roundsOf(row) {
  const seen = new Set();
  return row.runs.map((run, index) => {
    const passed = row.passed.slice(run.first, row.runs[index + 1]?.first);
    const answers = row.runs[index + 1] && row.passed[row.runs[index + 1].first];
    const effects = passed.flatMap(({ message }) => {
      const words = effectOf(message);
      if (words === '') return [];
      const isAgain = seen.has(words);
      return [{ words, isAgain }];
    });
    for (const { words } of effects) seen.add(words);
    return {
      number: index + 1,
      steps: (run.times?.steps ?? []).map((/** @type {any} */ { key, isKept }) => ({ key, isKept })),
      effects,
      questions: [...inSession(passed), ...inRound(passed.at(-1)?.message, answers)],
    };
  });
}

/** @param {any} message */
function effectOf({ method, params } = { method: '', params: {} }) {
  if (method === 'notifications/message')
    return `log ${typeof params?.data === 'string' ? params.data : JSON.stringify(params?.data)}`;
  if (method === 'notifications/progress') return `progress ${params?.progress} ${params?.message ?? ''}`;
  return '';
}

/** Questions with answers of their own. @param {Passed[]} passed */
function inSession(passed) {
  return passed
    .filter(({ from, message }) => from === 'server' && message?.method && message.id !== undefined)
    .map(({ message }) => {
      const answer = passed.find(
        (one) => one.from === 'client' && !one.message?.method && one.message?.id === message.id,
      );
      return questionOf(message, answer?.message.result ?? answer?.message.error, answer?.isInPlace === true);
    });
}

/** Questions whose answers are in the next round. @param {any} answer @param {Passed | undefined} next */
function inRound(answer, next) {
  return Object.entries(answer?.result?.inputRequests ?? {}).map(([key, question]) =>
    questionOf(question, next?.message.params?.inputResponses?.[key], next?.isInPlace === true),
  );
}

/** @param {any} question @param {any} answer @param {boolean} isInPlace */
function questionOf({ method, params }, answer, isInPlace) {
  const words = params?.message ?? method;
  return { words: String(words), answer: answer === undefined ? '' : JSON.stringify(answer), isInPlace };
}

/** @param {{ row: Row }} props */
export function Rounds({ row }) {
  const rounds = roundsOf(row);
  if (rounds.length < 2 && rounds.every(({ questions, steps }) => questions.length + steps.length === 0)) return null;
  return html`<h3>Rounds</h3>
    <ol class="rounds">
      ${rounds.map((round) => html`<${Run} round=${round} row=${row} />`)}
    </ol>`;
}

/** @param {{ round: Round, row: Row }} props */
function Run({ round: { number, steps, effects, questions }, row }) {
  const took = row.runs[number - 1]?.times?.took;
  return html`<li>
    <strong>${number === 1 ? 'The handler ran' : 'The handler ran again, from its beginning'}</strong>
    <small> ${shownTime(took)}</small>
    ${number > 1 && html` <span class="tag twice">ran twice</span>`}
    <ul>
      ${steps.map(
        ({ key, isKept }) =>
          html`<li><code>once ${key}</code> ${isKept ? 'was kept, and did not run again' : 'ran, and is kept'}</li>`,
      )}
      ${effects.map(({ words, isAgain }) => html`<li>${words} ${isAgain && html`<span class="tag twice">ran twice</span>`}</li>`)}
      ${questions.map(
        ({ words, answer, isInPlace }) =>
          html`<li>
            asked: ${words} ${answer === '' ? html`<em>no answer yet</em>` : html`<code>${answer}</code>`}
            ${isInPlace && html`<span class="tag">answered by this page</span>`}
          </li>`,
      )}
    </ul>
    ${number > 1 && steps.length === 0 && html`<p class="dim">What ran before the question has run twice. Put effects into <code>context.once</code>.</p>`}
  </li>`;
}
