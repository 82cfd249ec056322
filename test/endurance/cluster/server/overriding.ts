/** Puts other methods in place of those of a port. */

/** A method of a port, whatever it takes. */
type Method = (...given: readonly unknown[]) => unknown;

/** A port, some of whose methods are others: they are given the one that they stand for, and what it would be given. */
export function overriding<T extends object>(
  port: T,
  others: Readonly<Record<string, object | ((real: Method, given: readonly unknown[]) => unknown)>>,
): T {
  return new Proxy(port, {
    get: (target, name) => {
      const real: unknown = Reflect.get(target, name);
      const other = others[String(name)];
      if (typeof real !== 'function') return other ?? real;
      const bound: Method = (...given) => Reflect.apply(real, target, given) as unknown;
      if (typeof other !== 'function') return bound;
      return (...given: readonly unknown[]) =>
        (other as (real: Method, given: readonly unknown[]) => unknown)(bound, given);
    },
  });
}
