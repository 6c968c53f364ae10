import type { Steps } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { comparable, WORDS_IN_COMMON } from '../comparable-name.domain';
import { NameIndex } from './name-index.domain';
import { PackedGroups, PackedPairs } from './packed-groups.domain';
import { PackedInts } from './packed-ints.domain';
import { PackedTexts } from './packed-texts.domain';
import { hashOf, PackedWords } from './packed-words.domain';
import { blocks } from '../words/sounds.domain';
import type { ListedPerson, WatchList } from '../watch-list.domain';

/** Words of a group of {@link PackedGroups} on average: few enough to be compared, and most groups are not empty. */
const WORDS_PER_GROUP = 4;
/** Enough to tell the entries apart that have one number. */
const CONTENT_LENGTH = 8;
/** Staff give verdicts on ids of at most 200 characters. */
const MAX_NUMBER_LENGTH = 200 - CONTENT_LENGTH - 1;
/** In the groups of a short list, unrelated words would often be together. */
const MIN_GROUPS = 256;

/**
 * Collects the people of one list, and makes the index of their names. A list of 100,000 people has more than half a
 * million words, so what is kept of each person and word is packed: objects would need more than a gigabyte.
 */
export class NameIndexBuilder {
  private readonly entries = new PackedTexts();
  /** The numbers of the entries, and for each the first entry that has it. */
  private readonly entryIds = new PackedWords();
  private readonly firstOf = new PackedInts();
  private readonly words = new PackedWords();
  private readonly personOf = new PackedInts();
  private readonly nameInPerson = new PackedInts();
  private readonly enough = new PackedInts();
  private readonly parts = new PackedInts();
  private readonly partsFrom = new PackedInts();
  private readonly alone = new PackedPairs();
  private readonly joined = new PackedPairs();
  private readonly inBlock = new PackedPairs();

  constructor(private readonly list: WatchList['name']) {}

  /** The number of people so far. */
  get people(): number {
    return this.entries.length;
  }

  /** The number of names that can be compared, so far. */
  get names(): number {
    return this.personOf.length;
  }

  /**
   * The memory that is taken so far. {@link build} takes up to half as much again, and the index keeps about two thirds
   * of it.
   */
  get bytes(): number {
    const { entries, entryIds, firstOf, words, personOf, nameInPerson, enough, parts, partsFrom } = this;
    const { alone, joined, inBlock } = this;
    const names = [words, personOf, nameInPerson, enough, parts, partsFrom, alone, joined, inBlock];
    return [entries, entryIds, firstOf, ...names].reduce((sum, part) => sum + part.bytes, 0);
  }

  /**
   * Adds a person. An entry that is repeated counts once. Another entry with the same number gets its content added to
   * the number, because otherwise a verdict on one would count for both.
   *
   * @returns whether a name of the person can be compared
   */
  add(person: ListedPerson): boolean {
    const content = JSON.stringify(person);
    const { number, isNew } = this.entryIds.add(person.entryId);
    if (isNew) {
      this.firstOf.push(this.people);
      return this.addNamed(person);
    }
    if (this.entries.at(this.firstOf.at(number)) === content) return true;
    const digest = derivedId('list-entry', content).slice(0, CONTENT_LENGTH);
    return this.addNamed({ ...person, entryId: `${person.entryId.slice(0, MAX_NUMBER_LENGTH)}/${digest}` });
  }

  private addNamed(person: ListedPerson): boolean {
    const before = this.names;
    const number = this.entries.push(JSON.stringify(person));
    for (const [i, { text }] of person.names.entries()) {
      const form = comparable(text);
      if (form.words.length === 0) continue;
      const name = this.personOf.push(number);
      this.nameInPerson.push(i);
      this.enough.push(form.tellingWords < WORDS_IN_COMMON ? 1 : WORDS_IN_COMMON);
      this.partsFrom.push(this.parts.length);
      const words = form.words.map((word) => this.numberOf(word));
      const joined = form.joined.map((word) => this.numberOf(word));
      for (const [at, word] of words.entries()) this.parts.push(word * 2 + (form.telling[at] ? 1 : 0));
      for (const word of joined) this.parts.push(word);
      for (const word of new Set(words.filter((_, at) => form.telling[at]))) this.alone.add(word, name);
      for (const word of new Set(joined)) this.joined.add(word, name);
    }
    return this.names > before;
  }

  /** The index of the people so far. The builder must not be used after that. */
  *build(): Steps<NameIndex> {
    const { list, entries: people, personOf, nameInPerson, enough, parts, partsFrom } = this;
    partsFrom.push(parts.length);
    return new NameIndex({
      ...{ list, people, personOf, nameInPerson, enough, parts, partsFrom, words: this.words.texts },
      alone: yield* PackedGroups.of(this.alone, this.words.texts.length),
      joined: yield* PackedGroups.of(this.joined, this.words.texts.length),
      inBlock: yield* PackedGroups.of(this.inBlock, Math.max(MIN_GROUPS, this.inBlock.keys.length / WORDS_PER_GROUP)),
    });
  }

  private numberOf(word: string): number {
    const { number, isNew } = this.words.add(word);
    if (isNew) for (const block of blocks(word)) this.inBlock.add(hashOf(block), number);
    return number;
  }
}
