/** The library that draws the page, by one name: elements are written as templates, and every value in them is text and never markup. */
import { h } from 'preact';
import htm from 'htm';

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(h);

export { render } from 'preact';
export { useEffect, useMemo, useRef, useState } from 'preact/hooks';
