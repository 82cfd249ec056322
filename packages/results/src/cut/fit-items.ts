/** How many items of a list fit. */

/** A part of a list. */
export interface Fit {
  /** The index of the first item. */
  readonly from: number;
  /** Characters of JSON that the items may take, commas included. */
  readonly room: number;
  /** Items that are always taken, if there are as many. */
  readonly least: number;
}

/** The index after the last item that fits: whole items only. */
export function fitItems(items: readonly unknown[], { from, room, least }: Fit): number {
  let length = 0;
  for (let index = from; index < items.length; index += 1) {
    // A hole, or what JSON cannot have, is null in a list.
    length += (JSON.stringify(items[index]) ?? 'null').length + 1;
    if (length > room && index - from >= least) return index;
  }
  return items.length;
}
