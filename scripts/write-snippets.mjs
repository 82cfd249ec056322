/** `npm run snippets`: updates the code in the guides from the regions of source files that they name. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { guides, regionOf } from './snippets.mjs';
import { root } from './prepare.mjs';

const SNIPPET = /(<!-- snippet: (\S+) -->\n```(\w*)\n)([\s\S]*?)(\n?```)$/gm;

/** The name of a region that no code follows yet. */
const WITHOUT_CODE = /^(<!-- snippet: (\S+\.(\w+)#\S+) -->\n)(?!```)/gm;

for (const guide of guides()) {
  const path = join(root, guide);
  const before = readFileSync(path, 'utf8');
  const fenced = before.replace(WITHOUT_CODE, (_, head, source, language) => `${head}\`\`\`${language}\n\n\`\`\`\n`);
  const after = fenced.replace(SNIPPET, (_, head, source) => `${head}${regionOf(source)}\n\`\`\``);
  if (after === before) continue;
  writeFileSync(path, after);
  console.log(`${guide} is updated.`);
}
