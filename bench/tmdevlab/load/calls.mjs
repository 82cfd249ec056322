import { quantile } from '../../../test/measures/bench/report.mjs';

const OPENING = 'initialize';

const LIST = 'tools/list';

export class Counts {
  /** Milliseconds of each counted request, by its name. */
  #times = new Map();
  #onWire = 0;
  #wrong = 0;

  count(name, elapsed, isRight) {
    const times = this.#times.get(name) ?? [];
    if (times.length === 0) this.#times.set(name, times);
    times.push(elapsed);
    this.overhead(isRight);
  }

  overhead(isRight) {
    this.#onWire += 1;
    if (!isRight) this.#wrong += 1;
  }

  /** How many requests have counted so far. */
  get counted() {
    return [...this.#times.values()].reduce((sum, times) => sum + times.length, 0);
  }

  /** @returns the numbers of requests, and the latencies of calls of tools in milliseconds */
  read() {
    const calls = [...this.#times].filter(([name]) => name !== OPENING && name !== LIST).flatMap(([, times]) => times);
    return {
      counted: this.counted,
      onWire: this.#onWire,
      wrong: this.#wrong,
      p50: quantile(calls, 0.5),
      p95: quantile(calls, 0.95),
      p99: quantile(calls, 0.99),
      medians: Object.fromEntries([...this.#times].map(([name, times]) => [name, quantile(times, 0.5)])),
    };
  }
}

/** The calls of one iteration and the checks of their answers, as the benchmark has them. */

const ITEMS = [
  { product_id: 42, quantity: 2 },
  { product_id: 1337, quantity: 1 },
];
const SEARCH = { category: 'Electronics', min_price: 50, max_price: 500, limit: 10 };
/** As many electronic products cost 50 to 500. */
const FOUND = 2251;

/**
 * The tools in the order of an iteration.
 * @param {number} user from 1 on
 * @returns name, arguments, and whether the data of an answer is right
 */
export function callsOf(user) {
  const userId = `user-${String(user % 1000).padStart(5, '0')}`;
  return [
    {
      name: 'search_products',
      args: SEARCH,
      isRight: ({ total_found: found, products, top10_popular_ids: popular }) =>
        found === FOUND && products.length === 10 && popular.length === 10,
    },
    {
      name: 'get_user_cart',
      args: { user_id: userId },
      isRight: ({ user_id: id, cart, recent_history: history }) =>
        id === userId && cart.items.length >= 1 && history.length === 5,
    },
    {
      name: 'checkout',
      args: { user_id: userId, items: ITEMS },
      isRight: ({ status, total, items_count: count }) => status === 'confirmed' && total > 0 && count === 2,
    },
  ];
}

/** Whether the answer to `tools/call` says what it should. */
export function isRightResult(message, isRight) {
  try {
    return isRight(JSON.parse(message.result.content[0].text)) === true;
  } catch {
    return false;
  }
}

/** Whether the answer to `tools/list` has the three tools. */
export function isRightList(message) {
  return message?.result?.tools?.length === 3;
}

/** Whether the answer to `initialize` opens a conversation. */
export function isRightOpening(message) {
  return typeof message?.result?.protocolVersion === 'string';
}

/** The message of a body, which is JSON or an event stream; undefined for anything else. */
export function messageIn(body) {
  const text = body.toString().trim();
  const data = text.startsWith('{') ? text : /^data: *(\{.*)$/m.exec(text)?.[1];
  try {
    return data === undefined ? undefined : JSON.parse(data);
  } catch {
    return undefined;
  }
}
