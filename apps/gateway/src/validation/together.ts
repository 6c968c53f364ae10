/** A part of a JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const RULES = new Map<string, JsonSchema>();

/**
 * Says in the documents what the members of a class must fulfil together. The edge judges it in a function of its own,
 * which has precise messages; a test of the documents shows that both mean the same.
 */
export const Together =
  (schema: JsonSchema): ClassDecorator =>
  ({ name }) => {
    RULES.set(name, schema);
  };

/** What the members of the class of this name must fulfil together; undefined when each stands for itself. */
export const togetherOf = (name: string): JsonSchema | undefined => RULES.get(name);

/** The member is sent, and is not `null`, which counts as absent. */
export const sent = (name: string): JsonSchema => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
});

/** All of these are sent, and none of those. */
export const sentWithout = (names: readonly string[], others: readonly string[]): JsonSchema => ({
  required: [...names],
  properties: Object.fromEntries([
    ...names.map((name) => [name, { not: { type: 'null' } }] as const),
    ...others.map((name) => [name, { type: 'null' }] as const),
  ]),
});

/** Exactly one of the two is sent. */
export const exactlyOneOf = (one: string, other: string): JsonSchema => ({
  if: sent(one),
  then: sentWithout([], [other]),
  else: sent(other),
});

/** The member has this value. */
export const isValue = (name: string, value: string | boolean): JsonSchema => ({
  required: [name],
  properties: { [name]: { const: value } },
});
