/** How much of a text fits. */

/** The index after the last character that fits: after a line if there is one in the second half, or a word, and never within a character. */
export function fitText(text: string, from: number, room: number): number {
  const most = from + Math.max(room, 1);
  if (text.length <= most) return text.length;
  const least = from + Math.floor(room / 2);
  // Only the second half is looked at: each part of a long text would be searched to its beginning.
  const half = text.slice(least, most);
  const end = ['\n', ' '].map((separator) => half.lastIndexOf(separator) + 1).find((place) => place > 0);
  if (end !== undefined) return least + end;
  // The second half of a pair of code units stays with the first, and a part has at least one pair.
  if (!/[\uDC00-\uDFFF]/.test(text.charAt(most))) return most;
  return most - 1 > from ? most - 1 : most + 1;
}
