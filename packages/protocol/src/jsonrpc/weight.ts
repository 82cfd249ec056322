/**
 * The memory that a held message costs a process. Parsed values cost up to 28 times their text (an empty array is two characters and 56
 * bytes), so a limit in characters does not limit memory. `npm run limits` measures these numbers against the heap of V8.
 */

/** Bytes for each character of a text that is too short to be looked at: what the worst text of all costs. */
const WORST = 28;
/** Characters up to which a text is not looked at: looking would cost more than it finds. */
const SHORT = 1024;

const STRING = 24;
const CHARACTER = 2;
const FRACTION = 16;
const ARRAY = 48;
const ITEM = 8;
const OBJECT = 56;
const MEMBER = 16;
/** A name that the message has not used before: the text itself, and the shape of the object that has it. */
const NEW_NAME = 72;

/**
 * The bytes of heap that a message costs once it is parsed, rather too many than too few.
 * @param length characters of its text
 * @param value what was parsed
 * @param most bytes; once there are more, the rest is not looked at
 */
export function weightOf(length: number, value: unknown, most = Infinity): number {
  return length <= SHORT ? length * WORST : weightOfValue(value, most);
}

/** The bytes of heap that a JSON value costs, rather too many than too few. It may be deeper than any recursion can go. */
export function weightOfValue(value: unknown, most = Infinity): number {
  const scale = new Scale();
  scale.put(value);
  while (scale.pending.length > 0 && scale.weight <= most) {
    const one = scale.pending.pop();
    if (Array.isArray(one)) scale.putItems(one);
    else scale.putMembers(one as Readonly<Record<string, unknown>>);
  }
  return scale.weight;
}

/** Adds up values; arrays and objects wait to be looked into. */
class Scale {
  weight = 0;
  readonly pending: object[] = [];
  #names: Set<string> | undefined;

  put(value: unknown): void {
    if (typeof value === 'string') this.weight += STRING + value.length * CHARACTER;
    else if (typeof value === 'number') this.weight += Number.isInteger(value) ? 0 : FRACTION;
    else if (typeof value === 'object' && value !== null) this.pending.push(value);
  }

  putItems(items: readonly unknown[]): void {
    this.weight += ARRAY + items.length * ITEM;
    for (const item of items) this.put(item);
  }

  putMembers(object: Readonly<Record<string, unknown>>): void {
    this.weight += OBJECT;
    const names = (this.#names ??= new Set());
    for (const name in object) {
      this.weight += MEMBER;
      if (!names.has(name)) {
        names.add(name);
        this.weight += NEW_NAME + name.length * CHARACTER;
      }
      this.put(object[name]);
    }
  }
}
