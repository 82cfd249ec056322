/** Classes and servers of the table of mistakes, without their mistake. The pages of the errors show them. */
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import { Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Matches, MinLength, ValidateNested } from 'class-validator';
import { AnyOf, Feature, Inject, Injectable, OmitType, RecordOf, Tool } from '../../src';
import { serverOf, taking } from './mistake';

class Author {
  @IsString() name!: string;
  @IsOptional() @IsInt() born?: number;
}

class Chapter {
  @IsString() title!: string;
}

class Store {
  readonly size: number = 0;
}

@Feature()
class Library {
  @Tool('Finds a book') find(): void {}
}

/** The code of an error -> a definition that is accepted. */
export const FIXED_CLASSES: Readonly<Record<string, () => unknown>> = {
  SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR: () => {
    class Book {
      @IsString() title!: string;
    }
    return taking(Book);
  },
  SIGIL_DTO_ASYNC_TRANSFORM: () => {
    class Book {
      @IsString() @Transform(({ value }) => (typeof value === 'string' ? value.trim() : value)) author!: string;
    }
    return taking(Book);
  },
  SIGIL_DTO_NESTED_WITHOUT_VALIDATION: () => {
    class Book {
      @IsOptional() @ValidateNested() author?: Author;
    }
    return taking(Book, { strict: true });
  },
  SIGIL_DTO_NESTED_WITHOUT_TYPE: () => {
    class Book {
      @ValidateNested({ each: true }) @Type(() => Chapter) chapters!: Chapter[];
    }
    return taking(Book, { strict: true });
  },
  SIGIL_DTO_TYPE_WITHOUT_JSON: () => {
    class Book {
      // Base64
      @IsOptional() @IsString() cover?: string;
    }
    return taking(Book);
  },
  SIGIL_DTO_NOT_CONSTRUCTIBLE: () => {
    class Book {
      @IsString() title!: string;
    }
    return taking(Book);
  },
  SIGIL_DTO_READ_ONLY: () => {
    class Book {
      @IsString() title: string = 'Emma';
    }
    return taking(Book);
  },
  SIGIL_DTO_NAME_TWICE: () => {
    class Book {
      @IsString() title!: string;
      @IsString() @Expose({ name: 'full-name' }) name!: string;
    }
    return taking(Book);
  },
  SIGIL_DTO_RUNAWAY_PATTERN: () => {
    class Book {
      @Matches(/^a+$/) title!: string;
    }
    return taking(Book);
  },
  SIGIL_DTO_UNION: () => {
    class Book {
      @AnyOf(String, Number) id!: string | number;
    }
    return taking(Book);
  },
  SIGIL_DTO_NO_RECORD: () => {
    class Book {
      @IsString({ each: true }) tags!: string[];
      @RecordOf(Number) prices!: Record<string, number>;
    }
    return taking(Book);
  },
  SIGIL_MAPPED_UNKNOWN: () => {
    class Book extends OmitType(Author, ['name']) {}
    return taking(Book);
  },
  SIGIL_DTO_ANY_VALUE: () => {
    class Book {
      @IsOptional() @IsString() data?: string;
    }
    return taking(Book, { strict: true });
  },
  SIGIL_DTO_ANY_ITEMS: () => {
    class Book {
      @IsArray() @IsString({ each: true }) tags!: string[];
    }
    return taking(Book, { strict: true });
  },
  SIGIL_DTO_ANY_MEMBERS: () => {
    class Entity {
      @IsString() id!: string;
    }
    class Book {
      @ValidateNested() entity!: Entity;
    }
    return taking(Book, { strict: true });
  },
  SIGIL_DTO_LIST_OR_RECORD: () => {
    class Book {
      @RecordOf(Author) authors!: Record<string, Author>;
    }
    return taking(Book, { strict: true });
  },
  SIGIL_DTO_GROUPS: () => {
    class Book {
      @IsString() title!: string;
    }
    return taking(Book, { strict: true });
  },
  SIGIL_DTO_EACH_OF_ONE: () => {
    class Book {
      @IsString({ each: true }) titles!: string[];
    }
    return taking(Book, { strict: true });
  },
  SIGIL_DTO_WRONG_TYPE: () => {
    class Book {
      @IsInt() pages!: number;
    }
    return taking(Book);
  },
  SIGIL_DTO_CONTRADICTION: () => {
    class Book {
      @IsString() @MinLength(3) title!: string;
    }
    return taking(Book);
  },
  SIGIL_OPTION_UNKNOWN: () => serverOf({ name: 'library', features: [Library] }),
  SIGIL_OPTION_KIND: () => serverOf({ features: [Library], pageSize: 50, capabilities: ['tools'] }),
  SIGIL_MISSING_PROVIDER: () => {
    @Feature()
    class Shelf {
      constructor(@Inject('CITY') readonly city: string) {}
      @Tool('Finds a shelf') find(): void {}
    }
    return serverOf({ features: [Shelf], providers: [{ provide: 'CITY', useValue: 'Oslo' }] });
  },
  SIGIL_DEPENDENCY_WITHOUT_TYPE: () => {
    @Feature()
    class Shelf {
      constructor(readonly store: Store) {}
      @Tool('Finds a shelf') find(): void {}
    }
    return serverOf({ features: [Shelf], providers: [Store] });
  },
  SIGIL_DEPENDENCY_WITHOUT_METADATA: () => {
    @Injectable()
    class Catalogue {
      constructor(readonly store: Store) {}
    }
    return serverOf({ providers: [Catalogue, Store] });
  },
  SIGIL_DEPENDENCY_CYCLE: () => {
    const providers = [
      { provide: 'farm', useFactory: () => 'a farm' },
      { provide: 'egg', useFactory: (farm: unknown) => farm, inject: ['farm'] },
      { provide: 'hen', useFactory: (farm: unknown) => farm, inject: ['farm'] },
    ];
    return serverOf({ providers });
  },
  SIGIL_FACTORY_INJECT: () =>
    serverOf({ providers: [Store, { provide: 'SIZE', useFactory: (store: Store) => store.size, inject: [Store] }] }),
  SIGIL_PROVIDER: () => serverOf({ providers: [{ provide: 'STORE', useValue: new Store() }] }),
  SIGIL_LIMIT_UNKNOWN: () => serverOf({ limits: { callsPerClient: 5 } }),
  SIGIL_LIMIT_SHARE: () => serverOf({ limits: { calls: 100 } }),
  SIGIL_LIMIT: () => serverOf({ limits: { calls: 100 } }),
  SIGIL_REVISION_INVALID: () => serverOf({ revisions: ALL_REVISIONS.filter(({ version }) => version >= '2025-06-18') }),
  SIGIL_WEAK_SECRETS: () =>
    serverOf({ requestState: { secrets: ['the output of: openssl rand -hex 32, from the environment'] } }),
  SIGIL_ANSWER_TIMEOUT: () => serverOf({ answerTimeout: 30_000 }),
};
