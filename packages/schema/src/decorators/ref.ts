/** `Ref`: a type for properties whose class does not exist yet when the emitted metadata reads it. */

/**
 * Exactly `T`, but without a class in the emitted metadata. For a property of a class declared further down, or of its
 * own class; `@Type` then names the class. Import it with `import type`.
 *
 * @example
 * ```class Category { @IsOptional() @ValidateNested() @Type(() => Category) parent?: Ref<Category>; }```
 */
export type Ref<T> = T;
