/** One line of the traffic. */

/**
 * One message of a row.
 * @typedef {{ at: number, from: 'client' | 'server', text: string, message: any, isInPlace?: boolean, head?: { line: string, headers: Record<string, any> } }} Passed
 *
 * One line of the list.
 * @typedef {object} Row
 * @property {string} key
 * @property {number} at milliseconds since 1970
 * @property {'request' | 'notification' | 'mark' | 'lost'} kind
 * @property {'client' | 'server'} from
 * @property {string} client
 * @property {string} revision
 * @property {string} method
 * @property {string} name of the entry; empty if there is none
 * @property {string | number | undefined} id
 * @property {number | undefined} exchange
 * @property {any} params
 * @property {Passed[]} passed
 * @property {any} answer the last answer: `result` or `error`
 * @property {number | undefined} took milliseconds
 * @property {'pending' | 'ok' | 'failed' | 'error' | 'asking' | 'cancelled' | 'none'} status
 * @property {string} words what went wrong, or what happened
 * @property {number} rounds
 * @property {boolean} hasAsked whether the client was asked during the call
 * @property {{ key: string, times: any, first: number }[]} runs of the handler: what the server reported, and the first message of each
 * @property {string | undefined} call the page's own name for it
 * @property {any} times what the server reported of its inside
 * @property {Row | undefined} parent the request during which the server asks
 */

/** A row with what is known of it. @param {string} key @param {Partial<Row>} given @returns {Row} */
export function newRow(key, given) {
  return {
    key,
    at: 0,
    kind: 'notification',
    from: 'server',
    client: '',
    revision: '',
    method: '',
    name: '',
    id: undefined,
    exchange: undefined,
    params: undefined,
    passed: [],
    answer: undefined,
    took: undefined,
    status: 'none',
    words: '',
    rounds: 1,
    hasAsked: false,
    runs: [],
    call: undefined,
    times: undefined,
    parent: undefined,
    ...given,
  };
}
