/** What the search of the site knows. */

/** Pages whole; of what is generated of the API the names and their first sentences, or the index would be seven times as large. */
export function renderForSearch(source, env, md) {
  const html = md.render(source, env);
  if (env.frontmatter?.search === false) return '';
  return env.relativePath.startsWith('reference/api/') ? nameAndAbout(html) : html;
}

function nameAndAbout(html) {
  return `${/<h1[\s\S]*?<\/h1>/.exec(html)?.[0] ?? ''}${/<p>[\s\S]*?<\/p>/.exec(html)?.[0] ?? '<p>&nbsp;</p>'}`;
}
