/** What is wrong with views is found when a server is defined, all of it at once, and named with the rule of the official validator. */
import { apps, View, view, type AppsOptions, type ViewOptions } from '@sigil-mcp/apps';
import {
  DefinitionError,
  Feature,
  Public,
  Resource,
  Scopes,
  Tool,
  createServer,
  resource,
  tool,
  type DefinitionProblem,
  type FeatureSource,
  type JsonObject,
} from '@sigil-mcp/core';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageWith } from './weather';

const folder = mkdtempSync(join(tmpdir(), 'sigil-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;
function file(content: string | Uint8Array): string {
  const path = join(folder, `${(written += 1)}.html`);
  writeFileSync(path, content);
  return path;
}
const page = (body: string): string => pageWith('').replace('<p></p>', body);
const script = (code: string): string => page(`<script>${code}</script>`);

function problemsOf(...features: readonly FeatureSource[]): readonly DefinitionProblem[] {
  return problemsWith(undefined, ...features);
}
function problemsWith(options: unknown, ...features: readonly FeatureSource[]): readonly DefinitionProblem[] {
  try {
    // JavaScript may pass any value.
    const extensions = [apps(options as AppsOptions | undefined)];
    createServer({ name: 'wrong', version: '1.0.0', logger: false, features, extensions });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}
const told = (...features: readonly FeatureSource[]): string[] =>
  problemsOf(...features).map(({ code, where, problem }) => `${code} ${where}: ${problem}`);
const codesOf = (...features: readonly FeatureSource[]): string[] => problemsOf(...features).map(({ code }) => code);

/** A view of a page, and a tool that shows it. */
function shown(html: string, options: Omit<ViewOptions, 'file'> = {}): FeatureSource[] {
  return [
    view('ui://test/view', { name: 'page', file: file(html), ...options }),
    tool('show', { description: 'Shows it', view: 'page' }, () => 'ok'),
  ];
}
const raw = (uri: string, options: { mimeType?: string; meta?: JsonObject } = {}): FeatureSource =>
  resource(uri, { name: 'raw', mimeType: 'text/html;profile=mcp-app', ...options }, () => pageWith('raw'));
const showing = (meta: JsonObject): FeatureSource => tool('show', { description: 'Shows it', meta }, () => 'ok');

describe('the rules of the official validator', () => {
  it('hold for a server without mistakes', () => {
    expect(told(...shown(pageWith('a')))).toEqual([]);
    expect(
      told(raw('ui://test/view'), showing({ ui: { resourceUri: 'ui://test/view', visibility: ['model'] } })),
    ).toEqual([]);
  });

  it('APP-001: URIs of views have the scheme ui:', () => {
    expect(codesOf(view('https://test/view', { name: 'a' }, () => ''))).toEqual(['SIGIL_APPS_URI']);
    expect(codesOf(raw('test://view'))).toEqual(['SIGIL_APPS_SCHEME']);
    expect(codesOf(raw('test://view', { mimeType: 'text/html', meta: { ui: {} } }))).toEqual(['SIGIL_APPS_SCHEME']);
    expect(
      codesOf(raw('test://view', { mimeType: 'text/html' }), showing({ ui: { resourceUri: 'test://view' } })),
    ).toEqual(['SIGIL_APPS_META']);
    expect(
      codesOf(
        raw('test://view', { mimeType: 'text/html' }),
        tool('a', { description: 'A', view: 'test://view' }, () => 'ok'),
      ),
    ).toEqual(['SIGIL_APPS_NOT_A_VIEW']);
  });

  it('APP-002: views have the type text/html;profile=mcp-app', () => {
    expect(codesOf(raw('ui://test/view', { mimeType: 'text/html' }))).toEqual(['SIGIL_APPS_TYPE']);
    expect(codesOf(resource('ui://test/view', { name: 'raw' }, () => ''))).toEqual(['SIGIL_APPS_TYPE']);
  });

  it('APP-003: the content of a view is text or a blob', () => {
    expect(codesOf(view('ui://test/view', { name: 'a' }))).toEqual(['SIGIL_APPS_NO_PAGE']);
    expect(codesOf(view('ui://test/view', { name: 'a', file: file(pageWith('')) }, () => ''))).toEqual([
      'SIGIL_APPS_TWO_PAGES',
    ]);
  });

  it('APP-004: a view is a whole HTML5 document', () => {
    expect(told(...shown('{"not":"html"}'))).toEqual(
      [
        'SIGIL_APPS_HTML resource "ui://test/view": The page $FILE is not a whole HTML5 document: line 1, column 1: missing doctype.',
        'SIGIL_APPS_HTML resource "ui://test/view": The page $FILE is not a whole HTML5 document: line 1, column 1: there is no <html> tag.',
        'SIGIL_APPS_HTML resource "ui://test/view": The page $FILE is not a whole HTML5 document: line 1, column 15: there is no </html> at the end.',
      ].map((text) => text.replace('$FILE', join(folder, `${written}.html`))),
    );
    expect(codesOf(...shown(''))).toEqual(Array(3).fill('SIGIL_APPS_HTML'));
    expect(codesOf(...shown(pageWith('a').slice(0, -7)))).toEqual(['SIGIL_APPS_HTML']);
    expect(codesOf(...shown(page('<p id="a" id="b">')))).toEqual(['SIGIL_APPS_HTML']);
  });

  it('APP-005: the view of a tool exists', () => {
    expect(
      told(
        ...shown(pageWith('a')),
        tool('other', { description: 'Other', view: 'pag' }, () => 'ok'),
      ),
    ).toEqual([
      'SIGIL_APPS_UNKNOWN tool "other": A tool names the view "pag", which does not exist. Did you mean "page"?',
    ]);
    expect(codesOf(showing({ ui: { resourceUri: 'ui://test/missing' } }))).toEqual(['SIGIL_APPS_UNKNOWN']);
    expect(codesOf(tool('other', { description: 'Other', view: 'ui://test/missing' }, () => 'ok'))).toEqual([
      'SIGIL_APPS_UNKNOWN',
    ]);
  });

  it('APP-006: the deprecated key does not stand alone', () => {
    expect(told(raw('ui://test/view'), showing({ 'ui/resourceUri': 'ui://test/view' }))).toEqual([
      'SIGIL_APPS_META tool "show": _meta of the tool has ui/resourceUri = "ui://test/view".',
    ]);
  });

  it.each([
    ['ui', { ui: 'ui://test/view' }],
    ['ui.resourceUri', { ui: { resourceUri: 7 } }],
    ['ui.resourceUri', { ui: { resourceUri: 'chart' } }],
  ])('APP-007: %s of a tool is as the specification has it', (path, meta) => {
    expect(problemsOf(showing(meta))[0]).toMatchObject({
      code: 'SIGIL_APPS_META',
      problem: expect.stringContaining(`${path} =`),
    });
  });

  it.each([
    ['ui', 'view'],
    ['ui.csp', { csp: 'https://a.example' }],
    ['ui.csp', { csp: { connect: [] } }],
    ['ui.csp', { csp: { connectDomains: 'https://a.example' } }],
    ['ui.permissions', { permissions: ['camera'] }],
    ['ui.permissions', { permissions: { usb: {} } }],
    ['ui.domain', { domain: 7 }],
    ['ui.prefersBorder', { prefersBorder: 'yes' }],
  ])('APP-008: %s of a view is as the specification has it', (path, ui) => {
    expect(problemsOf(raw('ui://test/view', { meta: { ui } }))).toMatchObject([
      { code: 'SIGIL_APPS_META', problem: expect.stringContaining(`${path} =`) },
    ]);
  });

  it('APP-008: the options of a view are what they should be', () => {
    const wrong = { csp: { connect: [] }, permissions: ['usb'], border: 'yes', domain: 7, connectDomains: [] };
    expect(told(...shown(pageWith('a'), wrong as unknown as ViewOptions))).toEqual([
      'SIGIL_OPTION_UNKNOWN resource "ui://test/view": View({ csp: { connect } }): there is no such option.',
      'SIGIL_OPTION_KIND resource "ui://test/view": View({ permissions }): it is an array.',
      'SIGIL_OPTION_KIND resource "ui://test/view": View({ border }): it is "yes".',
      'SIGIL_OPTION_KIND resource "ui://test/view": View({ domain }): it is 7.',
      'SIGIL_OPTION_UNKNOWN resource "ui://test/view": View({ connectDomains }): there is no such option.',
    ]);
  });

  it('APP-009: origins are well-formed', () => {
    const csp = {
      connectDomains: ['not a domain', 'https://a.example; script-src *'],
      resourceDomains: ['http://a.example', '*'],
    };
    const codes = ['SIGIL_APPS_ORIGIN', 'SIGIL_APPS_ORIGIN', 'SIGIL_APPS_ORIGIN_PLAIN', 'SIGIL_APPS_ORIGIN'];
    expect(codesOf(...shown(pageWith('a'), { csp }))).toEqual(codes);
    expect(codesOf(raw('ui://test/view', { meta: { ui: { csp } } }))).toEqual(codes);
    expect(codesOf(...shown(pageWith('a'), { csp: { connectDomains: ['http://localhost:3000'] } }))).toEqual([]);
  });

  it.each([[[]], [['model', 'everyone']], ['app'], [['app', 'app']], [null]])(
    'APP-011: visibility is not %j',
    (visibleTo) => {
      const given = tool('show', { description: 'Shows it', visibleTo: visibleTo as [] }, () => 'ok');
      expect(codesOf(given)).toEqual(['SIGIL_APPS_AUDIENCE']);
      if (visibleTo !== null)
        expect(
          codesOf(raw('ui://test/view'), showing({ ui: { resourceUri: 'ui://test/view', visibility: visibleTo } })),
        ).toEqual(['SIGIL_APPS_AUDIENCE']);
    },
  );
});

describe('the page of a view', () => {
  it.each([
    ['does not exist', () => join(folder, 'missing.html')],
    ['is not a file', () => folder],
    ['is not UTF-8', () => file(Buffer.from('<!doctype html><html lang="en"><p>\xE9</html>', 'latin1'))],
    ['is not UTF-8', () => file(Buffer.from(`\uFEFF${pageWith('a')}`, 'utf16le'))],
    ['bytes, and 8388608 are the limit', () => file(pageWith('a'.repeat(9_000_000)))],
  ])('is refused if it %s', (reason, path) => {
    const [found, ...others] = told(view('ui://test/view', { name: 'page', file: path() }));
    expect(others).toEqual([]);
    expect(found).toMatch(/^SIGIL_APPS_FILE resource/);
    expect(found).toContain(reason);
  });

  it('may begin with a byte order mark, and may be a link', () => {
    const path = file(`\uFEFF${pageWith('a')}`);
    mkdirSync(join(folder, 'links'), { recursive: true });
    symlinkSync(path, join(folder, 'links', 'a.html'));
    expect(told(view('ui://test/view', { name: 'page', file: join(folder, 'links', 'a.html') }))).toEqual([]);
  });

  it('names every origin that it needs, each once', () => {
    const html = page(`
      <img src="https://img.example/a.png"><img src="https://img.example/b.png"><img src="data:image/png;base64,AA==">
      <iframe src="https://frame.example/"></iframe>
      <script>fetch('https://api.example/a'); new WebSocket('wss://live.example'); fetch('https://api.example/b')</script>`);
    expect(codesOf(...shown(html))).toEqual(Array(4).fill('SIGIL_APPS_UNDECLARED'));
    expect(told(...shown(html))[2]).toMatch(
      /fetch\(\) in line 4 of .*\.html needs https:\/\/api\.example, which csp\.connectDomains does not name: hosts block it\.$/,
    );
    const csp = {
      connectDomains: ['https://api.example', 'wss://live.example'],
      resourceDomains: ['https://*.example'],
      frameDomains: ['https://frame.example'],
    };
    expect(told(...shown(html, { csp }))).toEqual([
      'SIGIL_APPS_ORIGIN resource "ui://test/view": csp.resourceDomains of a view has "https://*.example", which is not an origin.',
      expect.stringContaining('needs https://img.example, which csp.resourceDomains does not name'),
    ]);
    expect(told(...shown(html, { csp: { ...csp, resourceDomains: ['https://img.example'] } }))).toEqual([]);
  });

  it('needs no file beside it, and no plugin', () => {
    expect(
      codesOf(
        ...shown(page('<script src="./app.js"></script><img src="a.png"><object data="https://a.example/x"></object>')),
      ),
    ).toEqual(['SIGIL_APPS_RELATIVE', 'SIGIL_APPS_RELATIVE', 'SIGIL_APPS_BLOCKED']);
    expect(codesOf(...shown(script("fetch('/api')")))).toEqual(['SIGIL_APPS_RELATIVE']);
    expect(codesOf(...shown(page('<script src="@sigil-mcp/apps/view"></script>')))).toEqual([]);
  });

  it('has scripts that can be parsed', () => {
    expect(told(...shown(script('const = 1')))[0]).toMatch(/the script has a syntax error: Unexpected token\.$/);
  });
});

describe('tools and views', () => {
  it('go together by the name of a member of the same class', () => {
    @Feature()
    class Charts {
      @View('ui://charts/one', { file: file(pageWith('a')) }) readonly one!: View;
      @Tool('Shows it', { view: 'one' }) show(): string {
        return 'ok';
      }
    }
    @Feature()
    class Others {
      @Tool('Shows it', { view: 'one' }) other(): string {
        return 'ok';
      }
      @Tool('Shows it', { view: 'ui://charts/one' }) far(): string {
        return 'ok';
      }
    }
    expect(told(Charts, Others)).toEqual([
      'SIGIL_APPS_UNKNOWN Others.other: A tool names the view "one", which does not exist. Did you mean "ui://charts/one"?',
    ]);
  });

  it.each(['csp', 'permissions', 'domain', 'border'])('have the setting %s on the view', (option) => {
    const given = tool('show', { description: 'Shows it', [option]: {} }, () => 'ok');
    expect(problemsOf(given)).toMatchObject([
      { code: 'SIGIL_APPS_ON_TOOL', fix: `Move it to the view: @View(uri, { ${option}: ... }).` },
    ]);
    const inMeta = option === 'border' ? 'prefersBorder' : option;
    expect(codesOf(raw('ui://test/view'), showing({ ui: { resourceUri: 'ui://test/view', [inMeta]: {} } }))).toEqual([
      'SIGIL_APPS_ON_TOOL',
    ]);
  });

  it('fit together in what a page calls', () => {
    const hidden = tool('hidden', { description: 'Hidden', visibleTo: ['model'] }, () => 'ok');
    const code = "app.callServerTool({ name: 'refesh' }); app.callServerTool({ name: 'hidden' })";
    expect(
      told(
        ...shown(script(code)),
        hidden,
        tool('refresh', { description: 'More' }, () => 'ok'),
      ),
    ).toEqual([
      expect.stringMatching(
        /^SIGIL_APPS_CALL resource.*calls the tool "refesh", which the server does not have\. Did you mean "refresh"\?$/,
      ),
      expect.stringMatching(
        /^SIGIL_APPS_CALL_HIDDEN resource.*calls the tool "hidden", which is not visible to views\.$/,
      ),
    ]);
    expect(codesOf(...shown(script("connectView().call('nothing')")))).toEqual(['SIGIL_APPS_CALL']);
    expect(codesOf(...shown(script("greet.call('nothing')")))).toEqual([]);
  });

  it('that only views may call are called by one', () => {
    const refresh = tool('refresh', { description: 'More', visibleTo: ['app'] }, () => 'ok');
    expect(told(...shown(pageWith('a')), refresh)).toEqual([
      'SIGIL_APPS_APP_ONLY tool "refresh": The tool is visible only to views, but no view of the server calls it.',
    ]);
    expect(codesOf(refresh)).toEqual(['SIGIL_APPS_APP_ONLY']);
    expect(codesOf(...shown(script("const name = 'refresh'; app.callServerTool({ name })")), refresh)).toEqual([]);
    const made = view('ui://test/made', { name: 'made' }, () => pageWith('a'));
    expect(codesOf(made, refresh)).toEqual([]);
  });

  it('under the prefix of a module have that prefix in pages', () => {
    const define = (name: string): readonly DefinitionProblem[] => {
      try {
        const features = [
          ...shown(script(`app.callServerTool({ name: '${name}' })`)),
          tool('refresh', { description: 'More', visibleTo: ['app'] }, () => 'ok'),
        ];
        const modules = [{ name: 'weather', prefix: 'weather', features }];
        createServer({ name: 'a', version: '1.0.0', logger: false, modules, extensions: [apps()] });
        return [];
      } catch (error) {
        return (error as DefinitionError).problems;
      }
    };
    expect(define('weather_refresh')).toEqual([]);
    expect(define('refresh')).toMatchObject([
      { code: 'SIGIL_APPS_CALL', problem: expect.stringContaining('Did you mean "weather_refresh"?') },
      { code: 'SIGIL_APPS_APP_ONLY', where: 'tool "weather_refresh" (module weather)' },
    ]);
  });

  it('have the same requirements for callers', () => {
    @Feature()
    class Charts {
      @View('ui://charts/one', { file: file(pageWith('a')) }) @Scopes('charts:read') readonly one!: View;
      @Tool('Shows it', { view: 'one' }) show(): string {
        return 'ok';
      }
      @Tool('Shows it', { view: 'one' }) @Scopes('charts:read', 'charts:write') edit(): string {
        return 'ok';
      }
      @View('ui://charts/two', { file: file(pageWith('a')) }) readonly two!: View;
      @Tool('Shows it', { view: 'two' }) @Public() open(): string {
        return 'ok';
      }
    }
    expect(told(Charts)).toEqual([
      'SIGIL_APPS_RIGHTS Charts.show: The view ui://charts/one needs the scope charts:read, but its tool does not: some callers of the tool cannot load the view.',
      'SIGIL_APPS_RIGHTS Charts.open: The view ui://charts/two needs a token, but its tool does not: some callers of the tool cannot load the view.',
    ]);
  });
});

describe('what an author writes by hand', () => {
  it.each([
    { ui: {} },
    { ui: { resourceUri: 'ui://test/other' } },
    { ui: { resourceUri: 'ui://test/view' } },
    { ui: { visibility: ['model'] } },
    { ui: { later: 1 } },
  ])('does not stand beside the options that write it: %j', (meta) => {
    const [page] = shown(pageWith('a'));
    const both = tool('both', { description: 'Both', view: 'page', meta }, () => 'ok');
    expect(problemsOf(page!, both)).toMatchObject([
      { code: 'SIGIL_APPS_META', where: 'tool "both"', problem: expect.stringContaining('ui = ') as unknown },
    ]);
    const hidden = tool('hidden', { description: 'Hidden', visibleTo: ['model'], meta }, () => 'ok');
    expect(codesOf(...shown(pageWith('a')), hidden)).toEqual(['SIGIL_APPS_META']);
  });
});

describe('a definition', () => {
  it.each([null, 'x', 7, [], () => 1].map((value) => [value]))('with apps(%p) is an error', (value) => {
    expect(problemsWith(value, ...shown(pageWith('a')))).toMatchObject([
      { code: 'SIGIL_OPTION_KIND', where: 'apps(…)', fix: 'Pass an object.' },
    ]);
  });

  it('with options of apps() that do not exist, or do not fit, is an error', () => {
    const problems = problemsWith({ chatgpt: 'yes', oldHosts: 1, chatGpt: true, constructor: 1 });
    expect(problems.map(({ where, problem, fix }) => `${where}: ${problem} ${fix}`)).toEqual([
      'apps({ chatgpt }): it is "yes". Pass true or false.',
      'apps({ oldHosts }): it is 1. Pass true or false.',
      'apps({ chatGpt }): there is no such option. Use one of: oldHosts, chatgpt. Did you mean chatgpt?',
      'apps({ constructor }): there is no such option. Use one of: oldHosts, chatgpt.',
    ]);
  });

  it.each([null, 'x', 7, [], () => 1].map((value) => [value]))('with view(uri, %p) is an error', (value) => {
    const [problem] = problemsOf(view('ui://test/view', value as unknown as Parameters<typeof view>[1]));
    expect(problem).toMatchObject({ code: 'SIGIL_BLANK_WORDS', where: 'resource("ui://test/view")' });
  });

  it('with two views of the name that a tool says is an error', () => {
    const [one, show] = shown(pageWith('a'));
    const other = view('ui://test/other', { name: 'page', file: file(pageWith('b')) });
    expect(told(one!, show!, other)).toEqual([
      'SIGIL_APPS_SAME_NAME tool "show": A tool names the view "page", and several have that name: ui://test/view, ui://test/other.',
    ]);
    const exact = tool('exact', { description: 'Exact', view: 'ui://test/other' }, () => 'ok');
    expect(told(one!, other, exact)).toEqual([]);
  });

  it('with two views of one URI is an error', () => {
    const one = view('ui://test/view', { name: 'one' }, () => pageWith('a'));
    const two = view('ui://test/view', { name: 'two' }, () => pageWith('b'));
    expect(codesOf(one, two)).toEqual(['SIGIL_DUPLICATE_ENTRY']);
  });

  it('with views needs apps()', () => {
    @Feature()
    class Charts {
      @View('ui://charts/one', { file: file(pageWith('a')) }) readonly one!: View;
      @Tool('Shows it', { view: 'one' }) show(): string {
        return 'ok';
      }
    }
    expect(() => createServer({ name: 'a', version: '1.0.0', logger: false, features: [Charts] })).toThrow(
      /io\.modelcontextprotocol\/ui/,
    );
  });

  it('has no views with variables', () => {
    @Feature()
    class Charts {
      @View('ui://charts/{name}') one(): string {
        return pageWith('a');
      }
    }
    expect(codesOf(Charts)).toEqual(['SIGIL_APPS_URI']);
    expect(codesOf(raw('ui://charts/{name}'))).toEqual(['SIGIL_APPS_URI']);
  });

  it('reports mistakes that the compiler would have found', () => {
    for (const options of [null, 7, 'chart.html'] as unknown as ViewOptions[]) {
      class Charts {
        readonly one!: View;
      }
      View('ui://charts/one', options)(Charts.prototype, 'one');
      Feature()(Charts);
      expect(codesOf(Charts)).toEqual(['SIGIL_APPS_NO_PAGE']);
    }
    expect(Resource).toBeDefined();
  });
});
