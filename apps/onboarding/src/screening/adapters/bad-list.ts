/** The file is not a complete list. The message names the entry and never a person. */
export class BadList extends Error {
  override readonly name = 'BadList';
}
