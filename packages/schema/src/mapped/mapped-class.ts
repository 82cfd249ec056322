/** The types of mapped classes. */

/** The data of a class: its properties, without its methods. */
export type DataOf<T> = { [Name in keyof T as T[Name] extends (...args: never[]) => unknown ? never : Name]: T[Name] };

/** A class that was made of others; one extends it, or names it as input or output. */
export type MappedClass<T> = new () => T;
