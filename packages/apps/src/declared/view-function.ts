/** `view`: a view for servers without classes. */
import { isObject } from '@sigil-mcp/base';
import {
  resource,
  sourceFileOf,
  type McpContext,
  type MaybePromise,
  type ResourceData,
  type Bytes,
  type ResourceFunctionOptions,
} from '@sigil-mcp/core';
import { VIEW_TYPE } from '../names';
import { VIEW, viewMeta } from './view-fact';
import type { ViewOptions } from './view-options';

/** The options of a view: those of `@View`, the name by which tools call it, its guards and scopes. */
export type ViewFunctionOptions = ViewOptions & {
  /** The name by which tools call it, and that clients show. */
  readonly name: string;
} & Pick<ResourceFunctionOptions, 'guards' | 'interceptors' | 'scopes' | 'public'>;

/**
 * Makes a view of a file, or of a function that returns HTML. Put the result into the features of a server; tools name it:
 * `tool('series', { view: 'chart', ... }, ...)`.
 * @param uri begins with `ui://`
 * @param html returns the HTML, if it is in no file
 * @example
 * const chart = view('ui://weather/chart', { name: 'chart', file: './chart.html' });
 * const hello = view('ui://weather/hello', { name: 'hello' }, () => '<!doctype html><html lang="en"><title>Hello</title><p>Hello</html>');
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function view(
  uri: string,
  options: ViewFunctionOptions,
  html?: (context: McpContext) => MaybePromise<string | Bytes>,
): ResourceData {
  // JavaScript, or a cast, may pass any value: without a name and a page, it is reported when the server is defined.
  const given = isObject(options) ? options : ({} as ViewFunctionOptions);
  const { guards, interceptors, scopes, public: isPublic, ...declared } = given;
  const fact = VIEW.with({ uri, options: declared, isMade: html !== undefined, source: sourceFileOf(view) });
  return resource(
    uri,
    {
      ...resourceOptionsOf(declared),
      name: declared.name,
      mimeType: VIEW_TYPE,
      facts: [fact],
      ...(guards && { guards }),
      ...(interceptors && { interceptors }),
      ...(scopes && { scopes }),
      ...(isPublic !== undefined && { public: isPublic }),
    },
    (_none, context) => html?.(context) ?? '',
  );
}

/** What a view has of a resource. What the options contain besides is reported when the server is defined. */
export function resourceOptionsOf(options: ViewOptions) {
  const { name, title, description, cache, icons } = options;
  const meta = viewMeta(options);
  return {
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(cache !== undefined && { cache }),
    ...(icons !== undefined && { icons }),
    ...(meta && { meta }),
  };
}
