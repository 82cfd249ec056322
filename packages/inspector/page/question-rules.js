/** Rules by which questions are answered: one for each kind of question. */
import { firstValue } from './form-values.js';

/**
 * @typedef {'form' | 'url' | 'sampling' | 'roots'} Kind
 *
 * A rule: what to do, with which values, and whether it holds for questions to other clients, too.
 * @typedef {{ does: 'ask' | 'accept' | 'decline' | 'cancel' | 'refuse', values: string, isForAll: boolean }} Rule
 */

/** The kinds of questions, what each can be answered with, and what its values are. */
export const KINDS = /** @type {const} */ ([
  { kind: 'form', title: 'Forms', does: ['accept', 'decline', 'cancel', 'refuse'], values: '{}' },
  { kind: 'url', title: 'Pages to open', does: ['accept', 'decline', 'cancel', 'refuse'], values: undefined },
  { kind: 'sampling', title: 'Requests for a model', does: ['accept', 'refuse'], values: 'An answer of a model' },
  { kind: 'roots', title: 'Folders', does: ['accept', 'refuse'], values: '[{ "uri": "file:///project" }]' },
]);

/** @returns {Record<Kind, Rule>} */
export function noRules() {
  const rules = KINDS.map(({ kind, values = '' }) => [kind, { does: 'ask', values, isForAll: false }]);
  return Object.fromEntries(rules);
}

/** @param {{ method: string, params: any }} question @returns {Kind} */
export function kindOf({ method, params }) {
  if (method === 'roots/list') return 'roots';
  if (method === 'sampling/createMessage') return 'sampling';
  return params?.mode === 'url' ? 'url' : 'form';
}

/**
 * What a rule answers; undefined if a person is to answer.
 * @param {Record<Kind, Rule>} rules @param {any} question
 * @returns {{ answer: any } | { refused: true } | undefined}
 */
export function answerByRules(rules, question) {
  const kind = kindOf(question);
  const { does, values, isForAll } = rules[kind];
  if (does === 'ask' || (question.client !== undefined && !isForAll)) return undefined;
  if (does === 'refuse') return { refused: true };
  if (does !== 'accept') return { answer: { action: does } };
  if (kind === 'url') return { answer: { action: 'accept' } };
  if (kind === 'sampling') return { answer: sampled(values) };
  const read = jsonOf(values);
  // A rule that cannot be read answers nothing.
  if (kind === 'roots') return Array.isArray(read) ? { answer: read } : undefined;
  if (read === null || typeof read !== 'object' || Array.isArray(read)) return undefined;
  const { requestedSchema: schema } = question.params;
  return { answer: { action: 'accept', content: { ...firstValue(schema, schema), ...read } } };
}

/** What a model would answer. @param {string} text */
export function sampled(text) {
  return { role: 'assistant', content: { type: 'text', text }, model: 'a person', stopReason: 'endTurn' };
}

/** @param {string} text */
export function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
