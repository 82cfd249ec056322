/** The shape of a handler that takes no arguments. */
import type { InputShape } from './value-plan';

/** Accepts an empty object and nothing else. */
export const NO_INPUT: InputShape = Object.freeze({
  schema: Object.freeze({ type: 'object', additionalProperties: false }),
  read(value: unknown) {
    const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    if (keys.length === 0) return { ok: true as const, value: undefined };
    return {
      ok: false as const,
      failures: keys.map((path) => ({ path, message: 'is not an argument here; none are taken' })),
    };
  },
});
