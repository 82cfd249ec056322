/** Any value -> plain JSON data, as the class of each instance wants it: for results without a declared class, and for logs. */
export { findWrongKey, writeData } from './json-data';
export type { DataReading, Unwritable } from './json-data';
export { shownOf, withoutHidden } from './shown-members';
export type { ShownClass } from './shown-members';
