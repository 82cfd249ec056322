/** What runs around the reading of a second resource of a view: the view is read for the same caller, and its contents are renamed. */
import type { EntryStage } from '@sigil-mcp/core';
import type { DeclaredView } from '../declared/view-fact';
import { SKYBRIDGE_TYPE, skybridgeViewMeta } from '../listed/chatgpt';

/** The stage of a resource that repeats a view. */
export function repeatedPageStage(view: DeclaredView): EntryStage {
  const changes = { mimeType: SKYBRIDGE_TYPE, _meta: skybridgeViewMeta(view.options) };
  return {
    isForEveryone: true,
    async run(call, _next) {
      const { contents, ...others } = await call.run('resources/read', { uri: view.uri });
      const uri = 'uri' in call.params ? String(call.params.uri) : view.uri;
      return { ...others, contents: contents.map((item) => ({ ...item, ...changes, uri })) };
    },
  };
}
