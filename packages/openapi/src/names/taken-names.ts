/** Names that are taken: a later one gets another name, within the length that clients accept. */

/** Longer names are cut: clients put the name of a server in front, and many accept 64 characters. */
export const LONGEST_NAME = 50;

/** The names of one kind, such as the tools of a server. */
export class TakenNames {
  readonly #names: Set<string>;

  /** @param taken from the beginning; upper and lower case do not tell names apart */
  constructor(
    taken: Iterable<string> = [],
    private readonly longest = LONGEST_NAME,
  ) {
    this.#names = new Set([...taken].map((name) => name.toLowerCase()));
  }

  /** The first proposal that is free, or the last one with a number. */
  take(...proposals: readonly string[]): string {
    const cut = proposals.map((name) => shorten(name, this.longest));
    const free = cut.find((name) => !this.#names.has(name.toLowerCase())) ?? this.#numbered(cut.at(-1) ?? 'tool');
    this.#names.add(free.toLowerCase());
    return free;
  }

  #numbered(name: string): string {
    for (let number = 2; ; number += 1) {
      const suffix = String(number);
      const proposal = shorten(name, this.longest - suffix.length) + suffix;
      if (!this.#names.has(proposal.toLowerCase())) return proposal;
    }
  }
}

/** Cuts a name between two of its words. */
function shorten(name: string, most: number): string {
  if (name.length <= most) return name;
  const cut = name.slice(0, most);
  const whole = cut.replace(/[A-Z][a-z0-9]*$/, '');
  const isWhole = /[A-Z]/.test(name.charAt(most)) || whole.length < most / 2;
  return (isWhole ? cut : whole).replace(/(?:For|From|To|In|Of|By|With|On|At|As|And)$/, '');
}
