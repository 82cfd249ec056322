/** From the arguments of a form to the parameters of a request, and from the words of a server back to the fields. */

/** @typedef {{ kind: string, key: string, method: string }} Kind */

/** The schema of what a person fills in. @param {string} kind @param {any} entry */
export function schemaOf(kind, entry) {
  if (kind === 'tool') return entry.inputSchema ?? { type: 'object' };
  const text = { type: 'string' };
  if (kind === 'template')
    return objectOf(
      [...entry.uriTemplate.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(([, names]) =>
        names
          .split(',')
          .map((/** @type {string} */ name) => ({ name: name.replace(/[*:].*$/, ''), ...text, required: true })),
      ),
    );
  return objectOf((entry.arguments ?? []).map((/** @type {any} */ one) => ({ ...text, ...one })));
}

/**
 * The examples of an entry: those of Sigil have a sentence each, and those of a schema are arguments alone.
 * @param {any} entry @returns {{ args: any, says: string }[]}
 */
export function examplesOf(entry) {
  const written = entry._meta?.['dev.sigil/examples'];
  if (Array.isArray(written)) return written.map((one) => ({ args: one?.args ?? {}, says: `${one?.says ?? ''}` }));
  const listed = entry.inputSchema?.examples;
  return Array.isArray(listed) ? listed.map((args) => ({ args, says: '' })) : [];
}

/** @param {any[]} members */
function objectOf(members) {
  const properties = members.map(({ name, type, description, title }) => [
    name,
    { type, ...(description && { description }), ...(title && { title }) },
  ]);
  const required = members.filter((one) => one.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** @param {Kind} kind @param {any} entry @param {any} args */
export function paramsOf(kind, entry, args) {
  if (kind.kind === 'resource') return { uri: entry.uri };
  if (kind.kind === 'template') return { uri: expand(entry.uriTemplate, args) };
  return { name: entry.name, arguments: args };
}

/** A simple template, filled in. @param {string} template @param {any} args */
export function expand(template, args) {
  return template.replace(/\{([+#./;?&]?)([^}]+)\}/g, (_, sign, names) => {
    const values = names
      .split(',')
      .map((/** @type {string} */ name) => [
        name.replace(/[*:].*$/, ''),
        String(args[name.replace(/[*:].*$/, '')] ?? ''),
      ]);
    const parts = values.map((/** @type {string[]} */ [name, value]) =>
      /[?&;]/.test(sign)
        ? `${name}=${encodeURIComponent(value)}`
        : sign === '+' || sign === '#'
          ? encodeURI(value)
          : encodeURIComponent(value),
    );
    const [begin, between] = {
      '?': ['?', '&'],
      '&': ['&', '&'],
      '/': ['/', '/'],
      '.': ['.', '.'],
      '#': ['#', ','],
      ';': [';', ';'],
    }[/** @type {string} */ (sign)] ?? ['', ','];
    return begin + parts.join(between);
  });
}

/** Messages of the server for single fields: "year: must not be greater than 2100". @param {any} answer @returns {Record<string, string>} */
export function problemsIn(answer) {
  const texts = [
    answer?.problem,
    ...(answer?.result?.isError ? (answer.result.content ?? []).map((/** @type {any} */ { text }) => text) : []),
  ];
  const found = texts
    .filter(Boolean)
    .flatMap((text) => [
      ...String(text).matchAll(
        /(?:^|[\n;,]|: )\s*-?\s*([A-Za-z_$][\w$.[\]]*):? (must [^\n;]+|is [^\n;]+|should [^\n;]+)/g,
      ),
    ]);
  return Object.fromEntries(
    found.map(([, path, words]) => [`/${path.replace(/\[(\d+)\]/g, '.$1').replaceAll('.', '/')}`, words]),
  );
}
