/**
 * Code of authors whose error depends on the compiler, so that the table of mistakes has only what the compiler emits. The message comes
 * from the table.
 */
export const COMPILER_EXAMPLES = {
  SIGIL_NO_METADATA: {
    title: 'A server that runs with tsx, which emits no types',
    wrong: `// npx tsx src/main.ts
@Feature()
class Library {
  @Tool('Finds a book') find({ title }: Query): string {
    return title;
  }
}`,
    fixed: `// sigil dev, or: tsc && node dist/main.js
@Feature()
class Library {
  @Tool('Finds a book') find({ title }: Query): string {
    return title;
  }
}

// With tsx or esbuild, name the class:
@Feature()
class Library {
  @Tool('Finds a book', { input: Query }) find({ title }: Query): string {
    return title;
  }
}`,
  },
  SIGIL_PARAMETER_TYPE_ERASED: {
    title: 'A class that is imported as a type',
    wrong: `import type { Query } from './query';

@Feature()
class Library {
  @Tool('Finds a book') find({ title }: Query): string {
    return title;
  }
}`,
    fixed: `import { Query } from './query';

@Feature()
class Library {
  @Tool('Finds a book') find({ title }: Query): string {
    return title;
  }
}`,
  },
  SIGIL_DTO_TYPE_ERASED: {
    title: 'A class that is imported as a type',
    wrong: `import type { Author } from './author';

class Book {
  @IsDefined() author!: Author;
}`,
    fixed: `import { Author } from './author';

class Book {
  @ValidateNested() author!: Author;
}`,
  },
  SIGIL_DTO_PROPERTY_WITHOUT_TYPE: {
    title: 'Two files that import each other',
    wrong: `// book.ts
import { Author } from './author';

export class Book {
  @ValidateNested({ each: true }) @Type(() => Author) authors!: Author[];
}

// author.ts
import { Book } from './book';

export class Author {
  @ValidateNested() favourite!: Book;
}`,
    fixed: `// title.ts: what both need
export class Title {
  @IsString() title!: string;
}

// author.ts
import { Title } from './title';

export class Author {
  @ValidateNested() favourite!: Title;
}

// book.ts
import { Author } from './author';
import { Title } from './title';

export class Book extends Title {
  @ValidateNested({ each: true }) @Type(() => Author) authors!: Author[];
}`,
  },
};
