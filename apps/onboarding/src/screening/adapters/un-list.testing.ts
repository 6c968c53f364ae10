import type { ListedPerson } from '../watch-list.domain';
import { UnListParser } from './un-list';

/** Parses a list that arrives in pieces of so many characters. */
export function parseUnList(
  xml: string,
  pieceLength = 1_000,
): { readonly version: string; readonly people: readonly ListedPerson[] } {
  const parser = new UnListParser();
  const people: ListedPerson[] = [];
  for (let from = 0; from < xml.length; from += pieceLength)
    people.push(...parser.push(xml.slice(from, from + pieceLength)));
  return { ...parser.end(), people };
}
