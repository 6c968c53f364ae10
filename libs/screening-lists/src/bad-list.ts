/** The file is not a complete list. The message may name an entry, and never a person. */
export class BadList extends Error {
  override readonly name = 'BadList';
}

export const malformed = (): BadList => new BadList('the list is not well-formed XML');
