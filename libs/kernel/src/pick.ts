/** An object with these members of another one, and no others. */
export const pick = <T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
