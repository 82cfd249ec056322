/** `@View`: makes a property or a method of a feature a view, which hosts show next to the results of tools. */
import { isObject } from '@sigil-mcp/base';
import { Resource, sourceFileOf, type Bytes, type MaybePromise } from '@sigil-mcp/core';
import { VIEW_TYPE } from '../names';
import { resourceOptionsOf } from './view-function';
import { VIEW } from './view-fact';
import type { ViewOptions } from './view-options';

/** The type of a property with `@View`, which has no value: the page is in its file. */
// The decorator of the same name is its value, so that one import is enough.
export interface View {
  /** Never set; it keeps other values out of the property. */
  readonly [VIEW_PROPERTY]?: never;
}

declare const VIEW_PROPERTY: unique symbol;

/** Decorates a property, or a method that returns HTML. */
export interface ViewDecorator {
  // A property has no descriptor.
  (prototype: object, member: string): void;
  <M extends (...args: never[]) => MaybePromise<string | Bytes>>(
    prototype: object,
    member: string,
    descriptor: TypedPropertyDescriptor<M>,
  ): void;
}

/**
 * Makes a property a view: a page that hosts show next to the result of a tool. Tools name it by the property: `@Tool('...', { view: 'chart' })`.
 * The page is one HTML5 document in a file next to the source. On a method, which returns the HTML, the view has no `file`.
 *
 * When the server is defined, the page is read and checked: it is whole, every origin that it loads from or connects to is in `csp`, and the
 * tools that it calls exist.
 * @param uri begins with `ui://`
 * @example
 * ```@View('ui://weather/chart', { file: './chart.html', csp: { connectDomains: ['https://api.example.com'] } }) readonly chart!: View;```
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function View(uri: string, options: ViewOptions = {}): ViewDecorator {
  const source = sourceFileOf(View);
  // JavaScript, or a cast, may pass any value.
  const plain = isObject(options) ? options : {};
  return (prototype: object, member: string, descriptor?: PropertyDescriptor): void => {
    const isMade = typeof descriptor?.value === 'function';
    // The server calls the members of an entry: that of a property returns nothing, and the page takes its place.
    if (!isMade) Object.defineProperty(prototype, member, { value: () => '', configurable: true, writable: true });
    Resource(uri, { ...resourceOptionsOf(plain), mimeType: VIEW_TYPE })(prototype, member, descriptor ?? {});
    VIEW({ uri, options: plain, isMade, source })(prototype, member, descriptor ?? {});
  };
}
