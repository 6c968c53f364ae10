/** The verbs that a message begins with if it leaves out its subject, the field. */
const WITHOUT_SUBJECT = /^(?:must|may|cannot|is|has|does|needs) /;

const PLAIN_FIRST_WORD = /^[a-z]+(?=[ ,:;'])/;

/**
 * Completes the message of a violation to sentences: names the field if the message begins with a verb, starts with a
 * capital letter unless the first word is a name such as `fiat/brl`, and ends with a full stop.
 */
export function sentenceOf(path: string, message: string): string {
  const subject = path === '' ? 'The request' : `\`${path}\``;
  const named = WITHOUT_SUBJECT.test(message)
    ? `${subject} ${message}`
    : message.replace(PLAIN_FIRST_WORD, (word) => word[0]?.toUpperCase() + word.slice(1));
  return /[.!?]$/.test(named) ? named : `${named}.`;
}
