/** Figures of weight next to recorded ones: none may get worse without a reason. */
import { FIGURES } from './measure-weight.mjs';

/**
 * @param {Record<string, number>} measured
 * @param {{ figures: Record<string, number>, reasons: Record<string, string> }} recorded
 * @returns {{ name: string, before: number | undefined, now: number, change: 'better' | 'worse' | 'none' }[]}
 */
export function compareWeight(measured, recorded) {
  return Object.entries(FIGURES).map(([name, { better }]) => {
    const [now, before] = [measured[name], recorded.figures[name]];
    if (before === undefined || now === before) return { name, before, now, change: 'none' };
    return { name, before, now, change: now < before === (better === 'less') ? 'better' : 'worse' };
  });
}

/**
 * The next record; null if a figure has become worse and there is no reason. Such a figure takes the reason with it, until it changes.
 */
export function nextRecord(measured, recorded, reason) {
  const compared = compareWeight(measured, recorded);
  if (!reason && compared.some(({ change }) => change === 'worse')) return null;
  const reasons = Object.fromEntries(
    compared.flatMap(({ name, change }) => {
      if (change === 'worse') return [[name, reason]];
      return change === 'none' && recorded.reasons[name] ? [[name, recorded.reasons[name]]] : [];
    }),
  );
  return { figures: Object.fromEntries(compared.map(({ name, now }) => [name, now])), reasons };
}
