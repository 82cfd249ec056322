/** The middle of some figures: one disturbed round does not move it. */
export function median(figures) {
  return quantile(figures, 0.5);
}

/** The figure below which a share of them is: 0.25 is the lower quartile. */
export function quantile(figures, share) {
  const sorted = [...figures].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place % 1);
}
