/** The direction of imports: which package may know which, which room which, and what stays behind which wall. */
const { orderedFolders, rulesOf } = require('./scripts/rooms.cjs');

const packages = '^packages/';

/** Inside a package: the rooms in their order, type imports counted. */
const order = orderedFolders(__dirname).flatMap(rulesOf);

/** What each package may import from besides itself; a package that is not named may import from none. */
const allowed = {
  base: [],
  protocol: ['base'],
  schema: ['base'],
  core: ['base', 'protocol', 'schema'],
  http: ['base', 'protocol', 'core'],
  fastify: ['base', 'protocol', 'core', 'http'],
  nest: ['base', 'protocol', 'core', 'http'],
  redis: ['base', 'protocol', 'core'],
  oauth: ['base', 'core'],
  otel: ['base', 'core'],
  audit: ['base', 'core'],
  contract: ['base', 'core'],
  skills: ['base', 'protocol', 'core'],
  apps: ['base', 'protocol', 'core'],
  tasks: ['base', 'protocol', 'core', 'redis'],
  results: ['base', 'protocol', 'core', 'redis'],
  toolsets: ['base', 'schema', 'core'],
  client: ['base', 'protocol'],
  testing: ['base', 'protocol', 'core', 'client'],
  cli: ['base', 'protocol', 'schema', 'core', 'client', 'audit', 'contract'],
  create: ['cli'],
  migrate: ['base', 'cli'],
  openapi: ['base', 'schema', 'cli'],
  publish: ['base', 'protocol', 'cli'],
  install: ['base', 'audit', 'cli'],
  inspector: ['base', 'protocol', 'schema', 'client', 'cli'],
};

const direction = Object.entries(allowed).map(([name, known]) => ({
  name: `direction-of-${name}`,
  comment: `${name} may import from ${known.join(', ') || 'no other package'}.`,
  severity: 'error',
  from: { path: `${packages}${name}/src/` },
  to: { path: packages, pathNot: [name, ...known].map((other) => `${packages}${other}/`) },
}));

const walls = [
  {
    name: 'base-stands-alone',
    comment:
      'Every package stands on the base: it depends on no package and on no Node built-in. Its facts use Reflect.',
    severity: 'error',
    from: { path: `${packages}base/src/` },
    to: { pathNot: [`${packages}base/src/`, 'node_modules/reflect-metadata/'] },
  },
  {
    name: 'protocol-stands-alone',
    comment: 'The protocol is data: it depends on the base alone, and on no Node built-in.',
    severity: 'error',
    from: { path: `${packages}protocol/src/` },
    to: { pathNot: `${packages}(protocol|base)/src/` },
  },
  {
    name: 'validation-stays-in-schema',
    comment:
      'class-validator, class-transformer and ajv are known to schema alone. `sigil docs --mcp` is a server as users write it.',
    severity: 'error',
    from: {
      path: `${packages}[^/]+/src/`,
      pathNot: `${packages}(schema/src/|cli/src/docs/docs-server)`,
    },
    to: { path: 'node_modules/(class-validator|class-transformer|ajv)/' },
  },
  {
    name: 'redis-is-optional-for-tasks',
    comment: 'Tasks are loaded without the package redis, which only its store of tasks needs.',
    severity: 'error',
    from: { path: `${packages}tasks/src/`, pathNot: `${packages}tasks/src/stores/redis/` },
    to: { path: `${packages}(redis|tasks/src/stores/redis)/` },
  },
  {
    name: 'commands-use-the-kit',
    comment: 'A package of commands needs of the command line what its kit has.',
    severity: 'error',
    from: { path: `${packages}(migrate|openapi|publish|install|inspector)/src/` },
    to: { path: `${packages}cli/src/`, pathNot: `${packages}cli/src/kit(?:-dev)?\\.ts$` },
  },
  {
    name: 'packages-by-name',
    comment: 'Another package is imported by its name, never by a path into it.',
    severity: 'error',
    from: { path: '^(packages|apps)/([^/]+)/' },
    to: { path: '^(packages|apps)/', pathNot: '^$1/$2/', dependencyTypesNot: ['aliased', 'aliased-tsconfig'] },
  },
  {
    name: 'crossing-tests-by-name',
    comment:
      'What crosses packages is tested through their entries. The port of HTTP ends at a class that is no part of them.',
    severity: 'error',
    from: { path: '^test/', pathNot: '^test/behaviour/http/port-specs' },
    to: { path: '^(packages|apps)/', dependencyTypesNot: ['aliased', 'aliased-tsconfig'] },
  },
  {
    name: 'sources-know-no-tests',
    severity: 'error',
    from: { path: '^(packages|apps)/[^/]+/src/' },
    to: { path: ['^test/', '^(packages|apps)/[^/]+/test/'] },
  },
];

const hygiene = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'no-orphans',
    comment: 'A source that nothing imports, and that imports nothing, is not part of the house.',
    severity: 'error',
    from: {
      orphan: true,
      path: '^(packages|apps)/[^/]+/src/',
      pathNot: '/src/(index|main)\\.ts$|/targets/preload\\.ts$|/build/small-reflect\\.ts$',
    },
    to: {},
  },
  { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'declared-dependencies-only',
    comment: "A source imports what its own package.json declares, and no development dependency of the root's.",
    severity: 'error',
    from: { path: '^(packages|apps)/[^/]+/src/' },
    // An optional peer counts as missing where only its types are used.
    to: {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-bundled'],
      dependencyTypesNot: ['npm-peer'],
    },
  },
];

module.exports = {
  forbidden: [...direction, ...order, ...walls, ...hygiene],
  options: {
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    combinedDependencies: false,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'require', 'node', 'default'] },
  },
};
