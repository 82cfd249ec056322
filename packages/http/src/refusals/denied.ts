/** A denial outside of any call. */
import type { Denial } from '@sigil-mcp/core';
import { ERROR_CODES } from '@sigil-mcp/protocol';
import { headersOf } from './denial-headers';
import { Refusal } from './refusal';

/** The refusal with the status, the headers and the error of a denial. */
export function denied(denial: Denial): Refusal {
  const { error, message, data, status } = denial;
  const code = typeof error === 'number' ? error : ERROR_CODES[error];
  const written = { code, message, ...(data !== undefined && { data }) };
  return new Refusal(status, written, { headers: headersOf(denial), limit: denial.limit });
}
