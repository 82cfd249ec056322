/** The bridge in a page without a build. */
import { bridgeScript, inlineBridge } from '../src/inline-bridge';

it('replaces the script element of the bridge, in each spelling, and nothing else', () => {
  const page = (place: string): string => `<!doctype html><body>${place}<script>connectView()</script></body>`;
  const written = page(`<script>${bridgeScript()}</script>`);
  for (const place of [
    '<script src="@sigil-mcp/apps/view"></script>',
    "<script src='@sigil-mcp/apps/view' ></script>",
    '<SCRIPT src=@sigil-mcp/apps/view>  </SCRIPT >',
  ])
    expect(inlineBridge(page(place))).toBe(written);
  const other = page('<script src="./own.js"></script><p>@sigil-mcp/apps/view</p>');
  expect(inlineBridge(other)).toBe(other);
});

it('is small, and nothing in it ends a script or a comment', () => {
  expect(bridgeScript().length).toBeLessThan(8000);
  expect(bridgeScript()).not.toMatch(/<\/script|<!--|-->|eval\(|new Function/i);
});
