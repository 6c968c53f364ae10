import { operatorVerbs } from '@ponte/operator';

/** Names of the verbs that are about readers, views and keys, and not about partners. */
export const OPERATOR_VERBS: readonly string[] = operatorVerbs(
  () => Promise.reject(new Error('nothing is opened to name the verbs')),
  () => undefined,
).map((verb) => verb.name());

/** What the help of the verbs about partners says of the others. */
export const OTHER_VERBS = `\nAbout pricing rules, with a --help of its own:\n  rules\n\nAbout readers, views, parked events and keys, each with a --help of its own:\n  ${OPERATOR_VERBS.join('\n  ')}`;
