/** The files of an API in a project: the client, the models, and for each feature its classes and its tools. */
import { literals } from '@sigil-mcp/cli/kit';
import type { ApiPlan } from '../plan/plan-features';
import type { WrittenClass, FeaturePlan } from '../plan/type-plan';
import type { ApiNames } from './api-names';
import { printClass, type PrintedCode } from './print-class';
import type { CredentialPlan } from './plan-credentials';
import { printMethod } from './print-method';

/** A written file: its path below the folder of the API, and its text before it is formatted. */
export interface PrintedFile {
  readonly path: string;
  readonly text: string;
}

/** What the code of features depends on. */
export interface WrittenFeatures {
  readonly names: ApiNames;
  readonly neededBy: CredentialPlan['neededBy'];
}

/** The features and their classes. */
export function printFeatures(plan: ApiPlan, source: WrittenFeatures): PrintedFile[] {
  const { names } = source;
  const models = classFile(plan.models, {
    heading: `The objects of ${names.title}, as far as a model needs them.`,
    names,
  });
  return [
    ...(models === undefined ? [] : [{ path: 'models.ts', text: models }]),
    ...plan.features.flatMap((feature) => {
      const heading = `The arguments and results of the tools in ${feature.slug}.feature.ts.`;
      const dto = classFile(feature.classes, { heading, names });
      return [
        ...(dto === undefined ? [] : [{ path: `${feature.slug}.dto.ts`, text: dto }]),
        { path: `${feature.slug}.feature.ts`, text: featureFile(feature, source) },
      ];
    }),
  ];
}

/** The module that a server takes. */
export function printModule(
  features: readonly Pick<FeaturePlan, 'slug' | 'className'>[],
  { api, pascal, slug, title, js }: ApiNames,
): string {
  const classes = features.map(({ className }) => className);
  return [
    `/** The tools of ${title}, as a module: put ${api}Module() into the modules of createServer. */`,
    "import { defineModule, type Module } from '@sigil-mcp/core';",
    `import { ${pascal}Client } from './${slug}-client${js}';`,
    `import { ${pascal}Settings } from './${slug}-settings${js}';`,
    ...features.map((feature) => `import { ${feature.className} } from './${feature.slug}.feature${js}';`),
    '',
    '/** @param settings those of the environment if left out */',
    `export function ${api}Module(settings = ${pascal}Settings.read()): Module {`,
    '  return defineModule({',
    `    name: '${slug}',`,
    `    features: [${classes.join(', ')}],`,
    `    providers: [${pascal}Client, { provide: ${pascal}Settings, useValue: settings }],`,
    '  });',
    '}',
    '',
  ].join('\n');
}

interface ClassFile {
  readonly heading: string;
  readonly names: ApiNames;
}

function classFile(classes: readonly WrittenClass[], { heading, names: { js } }: ClassFile): string | undefined {
  if (classes.length === 0) return undefined;
  const own = new Set(classes);
  const before = new Set<WrittenClass>();
  const printed = classes.map((plan) => {
    // What another file exports exists already.
    const elsewhere = plan.isModel ? [] : modelsOf(plan);
    const code = printClass(plan, new Set([...before, ...elsewhere]));
    before.add(plan);
    return code;
  });
  const models = printed.flatMap((code) => code.classes).filter((each) => !own.has(each));
  const imports = [
    ...importLines(printed),
    ...(models.length === 0
      ? []
      : [
          importLine(
            `./models${js}`,
            models.map(({ name }) => name),
          ),
        ]),
  ];
  return [`/** ${heading} */`, ...imports, '', printed.map(({ text }) => text).join('\n\n'), ''].join('\n');
}

function modelsOf(plan: WrittenClass): WrittenClass[] {
  return plan.properties.flatMap(({ type }) => (type.kind === 'class' && type.class.isModel ? [type.class] : []));
}

function featureFile(feature: FeaturePlan, { names, neededBy }: WrittenFeatures): string {
  const { pascal, slug, js, member } = names;
  const methods = feature.tools.map((tool) => printMethod(tool, member, neededBy(tool.operation)));
  const helpers = new Set(methods.flatMap((each) => [...each.helpers]));
  const named = feature.tools.flatMap(({ input, result: { class: made, type, kind } }) => [
    ...(input ? [input] : []),
    ...(made ? [made] : []),
    ...((kind === 'list' || kind === 'value') && type ? classesNamed(type) : []),
  ]);
  const models = named.filter(({ isModel }) => isModel).map(({ name }) => name);
  const own = named.filter(({ isModel }) => !isModel).map(({ name }) => name);
  const heading = literals.comment(feature.description) || `/** The tools of ${feature.slug}. */`;
  return [
    heading,
    "import { Feature, McpContext, Tool } from '@sigil-mcp/core';",
    importLine(`./${slug}-client${js}`, [`${pascal}Client`]),
    ...(own.length === 0 ? [] : [importLine(`./${feature.slug}.dto${js}`, own)]),
    ...(models.length === 0 ? [] : [importLine(`./models${js}`, models)]),
    importLine(`./parameters${js}`, [...helpers]),
    '',
    '@Feature()',
    `export class ${feature.className} {`,
    `  constructor(private readonly ${member}: ${pascal}Client) {}`,
    '',
    methods.map(({ text }) => text).join('\n\n'),
    '}',
    '',
  ].join('\n');
}

function classesNamed(type: NonNullable<FeaturePlan['tools'][number]['result']['type']>): WrittenClass[] {
  if (type.kind === 'class') return [type.class];
  if (type.kind === 'array') return classesNamed(type.items);
  return type.kind === 'union' ? type.members.flatMap((each) => (each.kind === 'class' ? [each.class] : [])) : [];
}

function importLines(printed: readonly PrintedCode[]): string[] {
  const modules = new Map<string, Set<string>>();
  for (const { imports } of printed)
    for (const [module, needed] of imports) modules.set(module, new Set([...(modules.get(module) ?? []), ...needed]));
  const order = ['@sigil-mcp/core', 'class-transformer', 'class-validator'];
  return order.flatMap((module) => {
    const needed = modules.get(module);
    return needed ? [importLine(module, [...needed])] : [];
  });
}

function importLine(module: string, needed: readonly string[]): string {
  const plain = (name: string): string => name.replace(/^type /, '');
  const sorted = [...new Set(needed)].sort((a, b) => (plain(a) < plain(b) ? -1 : 1));
  return `import { ${sorted.join(', ')} } from '${module}';`;
}
