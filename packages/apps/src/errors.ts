/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/base';

const ERRORS = defineErrors({
  SIGIL_APPS_URI: {
    problem: 'The URI of a view is {uri}.',
    fix: 'Use an absolute URI with the scheme ui: and without variables, such as ui://weather/chart: hosts look for views nowhere else.',
  },
  SIGIL_APPS_NO_PAGE: {
    problem: 'A view has no page.',
    fix: "Name its file, as in @View(uri, { file: './chart.html' }), or decorate a method that returns the HTML.",
  },
  SIGIL_APPS_TWO_PAGES: {
    problem: 'A view has the file {file} and a method that returns HTML.',
    fix: 'Leave out the option file, or make the method a property.',
  },
  SIGIL_APPS_FILE: {
    problem: 'The page {file} of a view {reason}.',
    fix: 'Correct the option file: its path starts at the source file that names it. A build must copy the page next to the compiled file.',
  },
  SIGIL_APPS_HTML: {
    problem: 'The page {page} is not a whole HTML5 document: line {line}, column {column}: {fault}.',
    fix: 'Correct the page. It begins with <!doctype html> and <html>, and ends with </html>, so that a page that was cut off is noticed.',
  },
  SIGIL_APPS_ORIGIN: {
    problem: 'csp.{list} of a view has {origin}, which is not an origin.',
    fix: 'Use a scheme and a host, such as https://api.example.com, https://*.example.com or wss://live.example.com:8443, without a path or a slash at the end.',
  },
  SIGIL_APPS_ORIGIN_PLAIN: {
    problem: 'csp.{list} of a view has {origin}, which is not encrypted.',
    fix: 'Use https: or wss:. Only localhost may be without encryption, during development.',
  },
  SIGIL_APPS_UNDECLARED: {
    problem: '{by} in line {line} of {page} needs {origin}, which csp.{list} does not name: hosts block it.',
    fix: 'Add it to the options of the view: csp: { {list}: ["{origin}"] }. Or put what it loads into the page.',
  },
  SIGIL_APPS_RELATIVE: {
    problem:
      '{by} in line {line} of {page} needs {url}, which hosts cannot find: they show the page without its folder.',
    fix: 'Put the script, style or picture into the page, or use an address with an origin that csp names.',
  },
  SIGIL_APPS_BLOCKED: {
    problem: '{by} in line {line} of {page} loads {url}, which hosts block: their policy has no list for plugins.',
    fix: 'Use an <img>, <video> or <iframe> instead.',
  },
  SIGIL_APPS_CALL: {
    problem: 'Line {line} of {page} calls the tool "{tool}", which the server does not have.{near}',
    fix: 'Call a tool of this server by its full name, which has the prefix of its module.',
  },
  SIGIL_APPS_CALL_HIDDEN: {
    problem: 'Line {line} of {page} calls the tool "{tool}", which is not visible to views.',
    fix: "Add 'app' to visibleTo of the tool, or leave it out: hosts refuse such calls.",
  },
  SIGIL_APPS_UNKNOWN: {
    problem: 'A tool names the view {view}, which does not exist.{near}',
    fix: 'Name a member with @View of the same class, a view made with view(), or the ui:// URI of a view.',
  },
  SIGIL_APPS_SAME_NAME: {
    problem: 'A tool names the view {view}, and several have that name: {uris}.',
    fix: 'Name the view by its URI, or give each view a name of its own.',
  },
  SIGIL_APPS_NOT_A_VIEW: {
    problem: 'A tool names the view {view}, which is a resource of type {type}.',
    fix: "Use @View in place of @Resource, or set mimeType: 'text/html;profile=mcp-app'.",
  },
  SIGIL_APPS_ON_TOOL: {
    problem: 'The tool has the option {option}, which belongs to its view: hosts ignore it on tools.',
    fix: 'Move it to the view: @View(uri, { {option}: ... }).',
  },
  SIGIL_APPS_AUDIENCE: {
    problem: 'visibleTo is {value}.',
    fix: "Use ['model'], ['app'] or ['model', 'app'], or leave it out for both.",
  },
  SIGIL_APPS_APP_ONLY: {
    problem: 'The tool is visible only to views, but no view of the server calls it.',
    fix: "Call it in the page of a view by its name, {tool}, or add 'model' to visibleTo.",
  },
  SIGIL_APPS_RIGHTS: {
    problem: 'The view {uri} needs {rights}, but its tool does not: some callers of the tool cannot load the view.',
    fix: 'Give the tool the same @Scopes and @Public as the view, or the view those of the tool.',
  },
  SIGIL_APPS_META: {
    problem: '_meta of {entry} has {path} = {value}.',
    fix: 'Use {wanted}.',
  },
  SIGIL_APPS_TYPE: {
    problem: 'The resource {uri} has the type {type}.',
    fix: "Use @View, which sets the type, or set mimeType: 'text/html;profile=mcp-app'. The scheme ui: is for views only.",
  },
  SIGIL_APPS_SCHEME: {
    problem: 'The resource {uri} has the type or the _meta of a view.',
    fix: 'Use a URI with the scheme ui:, such as ui://weather/chart.',
  },
});

/** Make a problem of a definition, to be reported, and its words without a place. */
export const { problem, words } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Views',
    about: 'Definition errors of servers with `apps()`: problems of views, their pages, and the tools that use them.',
    errors: ERRORS.entries,
  },
];
