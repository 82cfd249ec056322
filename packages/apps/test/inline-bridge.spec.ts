/** The bridge in a page without a build. */
import { bridgeScript, inlineBridge } from '../src/inline-bridge';

it('replaces the script element of the bridge, in each spelling, and nothing else', () => {
  const page = (place: string): string => `<!doctype html><body>${place}<script>connectView()</script></body>`;
  const written = page(`<script>${bridgeScript()}</script>`);
  for (const place of [
    '<script src="@sigil-mcp/apps/view"></script>',
    "<script src='@sigil-mcp/apps/view' ></script>",
    '<script type="module" src="@sigil-mcp/apps/view"></script>',
    '<script\n  defer\n  src = "@sigil-mcp/apps/view" async></script>',
    '<SCRIPT src=@sigil-mcp/apps/view>  </SCRIPT >',
  ])
    expect(inlineBridge(page(place))).toBe(written);
  for (const place of [
    '<script src="./own.js"></script><p>@sigil-mcp/apps/view</p>',
    '<script data-x="1"></script><a src="@sigil-mcp/apps/view"></a>',
    '<script src="@sigil-mcp/apps/views"></script>',
    '<script src="@sigil-mcp/apps/view">own()</script>',
  ])
    expect(inlineBridge(page(place))).toBe(page(place));
});

it('is small, and nothing in it ends a script or a comment', () => {
  expect(bridgeScript().length).toBeLessThan(8000);
  expect(bridgeScript()).not.toMatch(/<\/script|<!--|-->|eval\(|new Function/i);
});
