import type { Steps } from '@ponte/kernel';
import type { ComparableName } from '../comparable-name.domain';
import { WORDS_IN_COMMON } from '../comparable-name.domain';
import { nameTokens } from '../name-tokens.domain';
import type { PackedGroups } from './packed-groups.domain';
import type { PackedInts } from './packed-ints.domain';
import type { PackedTexts } from './packed-texts.domain';
import { hashOf } from './packed-words.domain';
import type { Similarity } from '../words/similarity.domain';
import { blocks } from '../words/sounds.domain';
import type { ListedName, ListedPerson, WatchList } from '../watch-list.domain';

export interface IndexedName extends ComparableName {
  readonly list: string;
  /** Unpacks the entry at every call. */
  entry(): { readonly person: ListedPerson; readonly name: ListedName };
}

/** The parts of an index. Names, people and words are numbered from 0. */
interface PackedNames {
  readonly list: WatchList['name'];
  /** Each person as JSON. */
  readonly people: PackedTexts;
  /** For each name, its person, and its place among the names of the person. */
  readonly personOf: PackedInts;
  readonly nameInPerson: PackedInts;
  /** For each name, how many words must be shared: one if it has only one distinctive word. */
  readonly enough: PackedInts;
  /**
   * The words of each name, times two, plus one if distinctive; then each word joined with the next. `partsFrom` tells
   * where each name begins, and at last where all end.
   */
  readonly parts: PackedInts;
  readonly partsFrom: PackedInts;
  readonly words: PackedTexts;
  /** By word, the names that contain it as a single word, or as two words joined. */
  readonly alone: PackedGroups;
  readonly joined: PackedGroups;
  /** By the hash of a block, the words in it, and those of other blocks with a similar hash. */
  readonly inBlock: PackedGroups;
}

/** An upper limit for counts of shared words, so that they fit in a byte. */
const MAX_SHARED = 200;
/** Words compared, and names counted, per step. */
const WORDS_PER_STEP = 200;
const NAMES_PER_STEP = 20_000;

/** An index of all names of one list by their words. It is built once per version of the list and then only read. */
export class NameIndex {
  constructor(private readonly packed: PackedNames) {}

  get list(): string {
    return this.packed.list;
  }

  /** The number of people, and of their names that can be compared. */
  get entries(): number {
    return this.packed.people.length;
  }

  get size(): number {
    return this.packed.personOf.length;
  }

  /** Whether a listed name has the `sounded` word as a single word. */
  has(word: string): boolean {
    const { inBlock, words, alone } = this.packed;
    const [block = ''] = blocks(word);
    return inBlock.with(hashOf(block)).some((other) => words.at(other) === word && alone.with(other).length > 0);
  }

  /** The numbers of the names that share enough words with the given name to be worth comparing. */
  *candidates(searched: ComparableName, similarity: Similarity): Steps<readonly number[]> {
    const shared = new Uint8Array(this.size);
    const touched: number[] = [];
    const count = (names: Uint32Array, worth: number): void => {
      for (const at of names) {
        const before = shared[at] as number;
        if (before === 0) touched.push(at);
        if (before < MAX_SHARED) shared[at] = before + worth;
      }
    };
    const telling = [...new Set(searched.words.filter((_, i) => searched.telling[i]))].map(
      (word) => [word, 1] as const,
    );
    const joined = [...new Set(searched.joined)].map((word) => [word, WORDS_IN_COMMON] as const);
    let counted = 0;
    for (const [word, worth] of [...telling, ...joined]) {
      for (const found of yield* this.alike(word, similarity)) {
        const [asOne, asTwo] = [this.packed.alone.with(found), this.packed.joined.with(found)];
        count(asOne, worth);
        count(asTwo, WORDS_IN_COMMON);
        counted += asOne.length + asTwo.length;
        if (counted >= NAMES_PER_STEP) yield void (counted = 0);
      }
    }
    yield;
    const alone = searched.tellingWords < WORDS_IN_COMMON;
    return touched.filter((at) => alone || (shared[at] as number) >= this.packed.enough.at(at));
  }

  /** The indexed words that are equal or similar to the given word. */
  private *alike(word: string, similarity: Similarity): Steps<readonly number[]> {
    const own = blocks(word);
    const near = new Set<number>();
    for (const block of own) for (const other of this.packed.inBlock.with(hashOf(block))) near.add(other);
    const alike: number[] = [];
    let compared = 0;
    for (const number of near) {
      const other = this.packed.words.at(number);
      if (similarity(word, other) > 0 && blocks(other).some((block) => own.includes(block))) alike.push(number);
      compared += 1;
      if (compared % WORDS_PER_STEP === 0) yield;
    }
    return alike;
  }

  /** Unpacks a name. Very many may be candidates, so they must not all be kept. */
  name(at: number): IndexedName {
    const { list, parts, partsFrom, words } = this.packed;
    const [from, to] = [partsFrom.at(at), partsFrom.at(at + 1)];
    // A name of n words has n - 1 joined ones.
    const own = Array.from({ length: (to - from + 1) / 2 }, (_, i) => parts.at(from + i));
    const telling = own.map((part) => part % 2 === 1);
    const entry = (): ReturnType<IndexedName['entry']> => this.entry(at);
    return {
      ...{ list, telling, entry },
      words: own.map((part) => words.at(part >>> 1)),
      joined: own.slice(1).map((_, i) => words.at(parts.at(from + own.length + i))),
      tellingWords: telling.filter(Boolean).length,
      get tokens() {
        return nameTokens(entry().name.text);
      },
    };
  }

  private entry(at: number): ReturnType<IndexedName['entry']> {
    const { people, personOf, nameInPerson } = this.packed;
    const person = JSON.parse(people.at(personOf.at(at))) as ListedPerson;
    return { person, name: person.names[nameInPerson.at(at)] as ListedName };
  }
}
