/** Figures of one contestant beside another's of the same rounds. */
import { median, quantile } from '../median.mjs';

/** The middle of a figure over the rounds; not a number where there is none. */
export function middleOf(contestant, figure) {
  return median(contestant.rounds.map((round) => round[figure] ?? NaN));
}

/**
 * The share of another's figure, round by round.
 * @returns its middle and its quartiles
 */
export function shareOf(contestant, other, figure) {
  const shares = contestant.rounds.map((round, index) => round[figure] / other.rounds[index][figure]);
  return { middle: median(shares), lower: quantile(shares, 0.25), upper: quantile(shares, 0.75) };
}
