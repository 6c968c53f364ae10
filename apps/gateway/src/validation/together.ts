type JsonSchema = Readonly<Record<string, unknown>>;

const RULES = new Map<string, JsonSchema>();

/**
 * Adds a rule on several fields of a class to the documents. The gateway enforces it in a separate function, which has
 * precise messages; a test of the documents proves that both mean the same.
 */
export const Together =
  (schema: JsonSchema): ClassDecorator =>
  ({ name }) => {
    RULES.set(name, schema);
  };

/** The rule on several fields of the class with this name, or undefined. */
export const togetherOf = (name: string): JsonSchema | undefined => RULES.get(name);

/** The field is sent and not `null`, which means absent. */
export const sent = (name: string): JsonSchema => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
});

/** All fields of `names` are sent, and none of `others`. */
export const sentWithout = (names: readonly string[], others: readonly string[]): JsonSchema => ({
  required: [...names],
  properties: Object.fromEntries([
    ...names.map((name) => [name, { not: { type: 'null' } }] as const),
    ...others.map((name) => [name, { type: 'null' }] as const),
  ]),
});

/** Exactly one of the two fields is sent. */
export const exactlyOneOf = (one: string, other: string): JsonSchema => ({
  if: sent(one),
  then: sentWithout([], [other]),
  else: sent(other),
});

export const isValue = (name: string, value: string | boolean): JsonSchema => ({
  required: [name],
  properties: { [name]: { const: value } },
});
