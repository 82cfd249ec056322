/** `<script type="importmap">`: what the names in the imports of a page stand for. */
import { isObject } from '@sigil-mcp/base';
import type { PageLoad } from './page';

/** The import map of one page. Its scopes are not read: they say the same for a part of the scripts. */
export class ImportMap {
  readonly #imports: ReadonlyMap<string, string>;

  /** @param text its JSON; a map that is malformed is empty */
  constructor(text: string) {
    this.#imports = new Map(importsIn(text));
  }

  /** A load with the address that its name stands for; every other load as it is. */
  resolve(load: PageLoad): PageLoad {
    if (load.by !== 'import') return load;
    const whole = this.#imports.get(load.url);
    return { ...load, url: whole ?? this.#withPrefix(load.url) ?? load.url };
  }

  /** A name with a slash at its end stands for the beginning of many: the longest counts. */
  #withPrefix(url: string): string | undefined {
    const fitting = [...this.#imports].filter(([name]) => name.endsWith('/') && url.startsWith(name));
    const [longest] = fitting.sort(([one], [other]) => other.length - one.length);
    return longest && longest[1] + url.slice(longest[0].length);
  }
}

function importsIn(text: string): (readonly [string, string])[] {
  const map = parsed(text);
  const imports = isObject(map) ? map['imports'] : undefined;
  if (!isObject(imports)) return [];
  return Object.entries(imports).flatMap(([name, to]) => (typeof to === 'string' ? [[name, to] as const] : []));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
