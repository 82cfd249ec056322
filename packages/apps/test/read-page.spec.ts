import { readPage } from '../src/page/read-page';

const page = (body: string, head = ''): string =>
  `<!doctype html>\n<html lang="en">\n<head><title>A</title>${head}</head>\n<body>${body}</body>\n</html>\n`;
const loadsOf = (html: string): string[] => readPage(html).loads.map(({ kind, by, url }) => `${kind} ${by} ${url}`);
const scriptLoads = (code: string): string[] => loadsOf(page(`<script>${code}</script>`));
const faultsOf = (html: string): string[] => readPage(html).faults.map(({ fault, line }) => `${line}: ${fault}`);

describe('a page', () => {
  it('has no faults if it is a whole HTML5 document', () => {
    expect(faultsOf(page('<p>Hello'))).toEqual([]);
    expect(faultsOf(page('<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'))).toEqual([]);
    expect(faultsOf(`<!-- a comment -->${page('')}<!-- another -->`)).toEqual([]);
    expect(faultsOf(page('').replace('<!doctype html>', '<!DOCTYPE html SYSTEM "about:legacy-compat">'))).toEqual([]);
  });

  it.each([
    ['nothing', '', ['1: missing doctype', '1: there is no <html> tag', '1: there is no </html> at the end']],
    ['JSON', '{}', ['1: missing doctype', '1: there is no <html> tag', '1: there is no </html> at the end']],
    ['no doctype', '<html></html>', ['1: missing doctype']],
    [
      'an old doctype',
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><html></html>',
      ['1: non conforming doctype', '1: the doctype is not <!doctype html>'],
    ],
    ['no html tag', '<!doctype html><p>Hello', ['1: there is no <html> tag', '1: there is no </html> at the end']],
  ])('with %s is not whole', (_what, html, faults) => {
    expect(faultsOf(html)).toEqual(faults);
  });

  it('is known to be cut off wherever that happens', () => {
    const whole = page(
      '<div>One</div><script>const a = "b";</script><p>Two</p>',
      '<style>p { color: red }</style>',
    ).trim();
    const accepted = [...whole]
      .map((_, end) => whole.slice(0, end))
      .filter((part) => readPage(part).faults.length === 0);
    expect(accepted).toEqual([]);
    expect(readPage(whole).faults).toEqual([]);
  });

  it('tells where a script has a syntax error', () => {
    const html = page('\n<script>\nconst a = ;\n</script>');
    expect(readPage(html).faults).toEqual([
      { fault: 'the script has a syntax error: Unexpected token', line: 6, column: 11 },
    ]);
    expect(faultsOf(page('<script type="application/json">{ "a": </script>'))).toEqual([]);
  });

  it('loads what its elements name', () => {
    expect(
      loadsOf(
        page(
          [
            '<img src="https://img.example/a.png" srcset="https://img2.example/b.png 1x, https://img3.example/c.png 2x">',
            '<video poster="https://video.example/p.png"><source src="https://video.example/v.mp4"></video>',
            '<iframe src="https://frame.example"></iframe>',
            '<svg><image href="https://svg.example/a.png"/><use xlink:href="https://svg2.example/a.svg#b"/></svg>',
            '<object data="https://plugin.example/a"></object>',
            '<a href="https://link.example">not loaded</a>',
            '<template><img src="https://template.example/a.png"></template>',
          ].join('\n'),
          '<base href="https://base.example/"><script src="https://cdn.example/a.js"></script>' +
            '<link rel="stylesheet" href="https://style.example/a.css"><link rel="preconnect" href="https://no.example">',
        ),
      ),
    ).toEqual([
      'base <base href> https://base.example/',
      'resource <script src> https://cdn.example/a.js',
      'resource <link href> https://style.example/a.css',
      'resource <img src> https://img.example/a.png',
      'resource <img srcset> https://img2.example/b.png',
      'resource <img srcset> https://img3.example/c.png',
      'resource <video poster> https://video.example/p.png',
      'resource <source src> https://video.example/v.mp4',
      'frame <iframe src> https://frame.example',
      'resource <image href> https://svg.example/a.png',
      'resource <use href> https://svg2.example/a.svg#b',
      'never <object data> https://plugin.example/a',
      'resource <img src> https://template.example/a.png',
    ]);
  });

  it('loads what its styles name', () => {
    const style = `/* url(https://comment.example) */
      @import "https://import.example/a.css"; @import url('https://import2.example/b.css');
      body { background: url(https://img.example/a.png) } @font-face { src: url("https://font.example/a.woff2") }`;
    expect(loadsOf(page('<p style="background: url(https://attr.example/a.png)">', `<style>${style}</style>`))).toEqual(
      [
        'resource @import in <style> https://import.example/a.css',
        'resource @import in <style> https://import2.example/b.css',
        'resource url() in <style> https://img.example/a.png',
        'resource url() in <style> https://font.example/a.woff2',
        'resource url() in style="" https://attr.example/a.png',
      ],
    );
  });

  it.each([
    ['fetch("https://a.example/x")', 'connect fetch() https://a.example/x'],
    ['window.fetch(`https://a.example/x`)', 'connect fetch() https://a.example/x'],
    ['fetch(`https://a.example/${1 + 1}`)', 'connect fetch() https://a.example/'],
    ['fetch("https://a.example/" + 1 + 2)', 'connect fetch() https://a.example/'],
    ['const API = "https://a.example"; fetch(`${API}/x`)', 'connect fetch() https://a.example/x'],
    ['const API = "https://a.example"; fetch(`${API}/${name}`)', 'connect fetch() https://a.example/'],
    ['const A = "https://a.example", B = A + "/x"; fetch(B)', 'connect fetch() https://a.example/x'],
    ['fetch(new URL("x", "https://a.example"))', 'connect fetch() https://a.example/'],
    ['fetch(new URL("https://a.example/x", location.href))', 'connect fetch() https://a.example/x'],
    ['new WebSocket("wss://a.example")', 'connect new WebSocket() wss://a.example'],
    ['new EventSource("https://a.example")', 'connect new EventSource() https://a.example'],
    ['navigator.sendBeacon("https://a.example", "")', 'connect sendBeacon() https://a.example'],
    ['const x = new XMLHttpRequest(); x.open("GET", "https://a.example")', 'connect XMLHttpRequest https://a.example'],
    ['import("https://a.example/m.js")', 'resource import https://a.example/m.js'],
    ['new Worker("https://a.example/w.js")', 'resource new Worker() https://a.example/w.js'],
    ['document.images[0].src = "https://a.example/i.png"', 'resource .src = https://a.example/i.png'],
    ['i.setAttribute("src", "https://a.example/i.png")', 'resource setAttribute() https://a.example/i.png'],
    ['new FontFace("A", "url(https://a.example/f.woff2)")', 'resource new FontFace() https://a.example/f.woff2'],
  ])('loads what a script names: %s', (code, load) => {
    expect(scriptLoads(code)).toEqual([load]);
  });

  it.each([
    ['new Audio("https://a.example/a.mp3")', 'resource new Audio() https://a.example/a.mp3'],
    ['e.style.background = "url(https://a.example/a.png)"', 'resource .style.background = https://a.example/a.png'],
  ])('loads what a script names besides: %s', (code, load) => {
    expect(scriptLoads(code)).toEqual([load]);
  });

  it('loads what is in less common places', () => {
    expect(
      loadsOf(
        page(
          '<svg><script href="https://svg.example/a.js"></script></svg>' +
            '<iframe srcdoc="<img src=https://frame.example/a.png>"></iframe>',
          '<link rel="preload" as="image" imagesrcset="https://set.example/a.png 1x, https://set2.example/b.png 2x">' +
            '<style>p { background: image-set("https://css.example/a.png" type("image/png") 1x, url(https://css2.example/b.png) 2x) }</style>',
        ),
      ),
    ).toEqual([
      'resource <link imagesrcset> https://set.example/a.png',
      'resource <link imagesrcset> https://set2.example/b.png',
      'resource url() in <style> https://css2.example/b.png',
      'resource image-set() in <style> https://css.example/a.png',
      'resource <script href> https://svg.example/a.js',
      'resource <img src> in srcdoc https://frame.example/a.png',
    ]);
  });

  it('loads what its import map says that names stand for', () => {
    const map = {
      imports: {
        lit: 'https://esm.example/lit@3',
        'lit/': 'https://esm.example/lit@3/',
        'lit/x/': 'https://x.example/',
      },
    };
    const loads = (text: string, code: string): string[] =>
      loadsOf(page(`<script type="module">${code}</script>`, `<script type="importmap">${text}</script>`));
    expect(
      loads(JSON.stringify(map), 'import "lit"; import "lit/a.js"; import("lit/x/b.js"); import "vue"; fetch("lit")'),
    ).toEqual([
      'resource import https://esm.example/lit@3',
      'resource import https://esm.example/lit@3/a.js',
      'resource import https://x.example/b.js',
      'resource import vue',
      'connect fetch() lit',
    ]);
    for (const malformed of ['', '{', '[]', '{"imports":[]}', '{"imports":{"lit":7}}'])
      expect(loads(malformed, 'import "lit"')).toEqual(['resource import lit']);
  });

  it('reads modules and handlers in attributes', () => {
    const html = page(
      '<script type="module">import "https://a.example/m.js"; export {}</script><p onclick="return fetch(\'https://b.example\')">',
    );
    expect(loadsOf(html)).toEqual(['resource import https://a.example/m.js', 'connect fetch() https://b.example']);
  });

  it('does not take other addresses for loads', () => {
    expect(
      scriptLoads(`// fetch('https://comment.example')
        const svg = 'http://www.w3.org/2000/svg'; document.createElementNS(svg, 'g');
        const text = "fetch('https://text.example')"; open('https://window.example');
        link.href = 'https://link.example'; fetch(where); fetch('https://' + host);
        fetch('https://api.' + region + '.example.com/'); fetch(\`https://a.example\${suffix}\`);
        { const e = 'https://e.example' } { const e = 1; fetch(e) }`),
    ).toEqual([]);
  });

  it('finds the tools that it calls, and the lines', () => {
    const { calls, words } = readPage(
      page(
        `<script>\napp.callServerTool({ name: 'refresh', arguments: {} });\nview.callTool("more");\nview.callTool(name);</script>`,
      ),
    );
    expect(calls).toEqual([
      { tool: 'refresh', line: 5 },
      { tool: 'more', line: 6 },
    ]);
    expect([...words].sort()).toEqual(['more', 'refresh']);
  });

  it('is read in a time that grows with its size only', () => {
    const deep = page(`${'<div>'.repeat(20_000)}${'</div>'.repeat(20_000)}`);
    expect(readPage(deep).loads).toEqual([]);
    const nested = page(`<script>${'['.repeat(50_000)}${']'.repeat(50_000)}</script>`);
    expect(faultsOf(nested)).toEqual(['4: the script is nested too deeply to be read']);
    const long = page(`<script>[${'1,'.repeat(300_000)}]</script>${'<p>'.repeat(200_000)}`);
    expect(readPage(long).faults).toEqual([]);
    expect(readPage(page(`<style>${'url('.repeat(20_000)}</style>`)).faults).toEqual([]);
    expect(readPage(page(`<style>${'image-set('.repeat(20_000)}</style>`)).loads).toEqual([]);
    expect(readPage(page(`<style>${'image-set("a"'.repeat(20_000)}</style>`)).loads).toEqual([]);
    expect(readPage(page(`<img srcset="${'a, '.repeat(20_000)}">`)).loads).toHaveLength(20_000);
  });
});
