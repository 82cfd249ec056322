/** What a message says, in a few words for its line. */

/** Requests and what is reported of their inside are told apart by this. @param {any} one */
export function timesKey({ exchange, method, id }) {
  return `${exchange ?? ''} ${method} ${JSON.stringify(id)}`;
}

/** @param {any} entry */
export function scopeOf({ session, exchange }) {
  if (session !== undefined) return `s${session}:`;
  return exchange === undefined ? 'pipe:' : `x${exchange}:`;
}

/** @param {string} text @returns {any[]} */
export function messagesIn(text) {
  try {
    const read = JSON.parse(text);
    const all = Array.isArray(read) ? read : [read];
    return all.every((one) => one !== null && typeof one === 'object' && one.jsonrpc === '2.0') ? all : [];
  } catch {
    return [];
  }
}

/** What a request is about. @param {any} message */
export function nameOf({ method, params }) {
  if (method === 'tools/call' || method === 'prompts/get') return String(params?.name ?? '');
  if (method === 'resources/read') return String(params?.uri ?? '');
  return '';
}

/** @param {any} message @returns {[import('./traffic-row.js').Row['status'], string]} */
export function outcomeOf({ result, error }) {
  if (error) return ['error', String(error.message ?? '')];
  if (result?.resultType === 'input_required') return ['asking', 'asks the client'];
  if (result?.isError === true) return ['failed', textIn(result)];
  return ['ok', ''];
}

/** @param {any} result */
function textIn({ content }) {
  const [first] = Array.isArray(content) ? content : [];
  return String(first?.text ?? '').split('\n')[0];
}

/** @param {string} method @param {any} params */
export function wordsOf(method, params) {
  if (method === 'notifications/message')
    return `${params?.level ?? ''} ${typeof params?.data === 'string' ? params.data : JSON.stringify(params?.data)}`;
  if (method === 'notifications/progress')
    return `${params?.progress ?? ''}${params?.total === undefined ? '' : ` of ${params.total}`} ${params?.message ?? ''}`;
  if (method === 'notifications/cancelled') return String(params?.reason ?? '');
  return params?.uri === undefined ? '' : String(params.uri);
}

/**
 * What a mark of a version says.
 * @param {{ version?: number, took?: number, failed?: string, changes?: { sign: string, name: string, words: string }[] }} mark
 */
export function markWords({ version, took, failed, changes = [] }) {
  const ready =
    version === undefined
      ? 'the lists have changed'
      : `version ${version} ready in ${((took ?? 0) / 1000).toFixed(1)} s`;
  const changed = changes.map(({ sign, name, words }) => `${sign}${name}${words ? ` (${words})` : ''}`);
  return [failed ?? ready, ...changed].join('  ');
}

/** What a row says of its end. @type {Record<import('./traffic-row.js').Row['status'], string>} */
export const STATUS = {
  pending: 'running',
  ok: 'ok',
  failed: 'failed',
  error: 'error',
  asking: 'asks',
  cancelled: 'cancelled',
  none: '',
};
