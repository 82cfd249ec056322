/** Dates on the wire: RFC 3339 date-times, and whole days, which are read as midnight UTC. */

const dateText = /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2}))?$/;

/** Whether a text names a moment without depending on the server's time zone. */
export function isDateText(value: unknown): boolean {
  return typeof value === 'string' && dateText.test(value) && !Number.isNaN(Date.parse(value));
}
