/** Any value -> plain JSON data, as the class of each instance wants it: for results without a declared class, and for logs. */
export { findWrongKey, writeData, type DataReading, type Unwritable } from './json-data';
export { shownOf, withoutHidden, type ShownClass } from './shown-members';
