import type { ComparableName } from './comparable-name.domain';
import { comparable, WORDS_IN_COMMON } from './comparable-name.domain';
import type { Similarity } from './similarity.domain';
import type { Steps } from './steps.domain';
import { blocks } from './sounds.domain';
import type { ListedName, ListedPerson, WatchList } from './watch-list.domain';

export interface IndexedName extends ComparableName {
  readonly list: string;
  readonly person: ListedPerson;
  readonly name: ListedName;
}

/** A distinct word, and the names that contain it: as a single word, or as two words joined. */
interface IndexedWord {
  readonly word: string;
  readonly alone: number[];
  readonly joined: number[];
}

/** An upper limit for counts of shared words, so that they fit in a byte. */
const MOST_SHARED = 200;
/** Words compared, and names counted, per step. */
const WORDS_A_STEP = 200;
const NAMES_A_STEP = 20_000;

/** An index of all names of all lists by their words. It is built once per version of the lists and then only read. */
export class NameIndex {
  private readonly names: IndexedName[] = [];
  /**
   * For each name, how many words must be shared: one if it has only one distinctive word. Stored separately from the
   * names, so that counting stays in the CPU cache.
   */
  private readonly enough: number[] = [];
  private readonly words = new Map<string, IndexedWord>();
  private readonly inBlock = new Map<string, IndexedWord[]>();

  add(list: WatchList['name'], person: ListedPerson): void {
    for (const name of person.names) {
      const form = comparable(name.text);
      if (form.words.length === 0) continue;
      const at = this.names.push({ ...form, list, person, name }) - 1;
      this.enough.push(form.tellingWords < WORDS_IN_COMMON ? 1 : WORDS_IN_COMMON);
      for (const word of new Set(form.words.filter((_, i) => form.telling[i]))) this.indexed(word).alone.push(at);
      for (const word of new Set(form.joined)) this.indexed(word).joined.push(at);
    }
  }

  get size(): number {
    return this.names.length;
  }

  /** Whether a listed name has the `sounded` word as a single word. */
  has(word: string): boolean {
    return (this.words.get(word)?.alone.length ?? 0) > 0;
  }

  /** Names that share enough words with the given name to be worth comparing. */
  *candidates(searched: ComparableName, similarity: Similarity): Steps<readonly IndexedName[]> {
    const shared = new Uint8Array(this.names.length);
    const touched: number[] = [];
    const count = (names: readonly number[], worth: number): void => {
      for (const at of names) {
        const before = shared[at] as number;
        if (before === 0) touched.push(at);
        if (before < MOST_SHARED) shared[at] = before + worth;
      }
    };
    const telling = [...new Set(searched.words.filter((_, i) => searched.telling[i]))].map(
      (word) => [word, 1] as const,
    );
    const joined = [...new Set(searched.joined)].map((word) => [word, WORDS_IN_COMMON] as const);
    let counted = 0;
    for (const [word, worth] of [...telling, ...joined]) {
      for (const found of yield* this.alike(word, similarity)) {
        count(found.alone, worth);
        count(found.joined, WORDS_IN_COMMON);
        counted += found.alone.length + found.joined.length;
        if (counted >= NAMES_A_STEP) yield void (counted = 0);
      }
    }
    yield;
    const alone = searched.tellingWords < WORDS_IN_COMMON;
    return touched
      .filter((at) => alone || (shared[at] as number) >= (this.enough[at] as number))
      .flatMap((at) => this.names[at] ?? []);
  }

  /** The indexed words that are equal or similar to the given word. */
  private *alike(word: string, similarity: Similarity): Steps<readonly IndexedWord[]> {
    const near = [...new Set(blocks(word).flatMap((block) => this.inBlock.get(block) ?? []))];
    const alike: IndexedWord[] = [];
    for (const [i, other] of near.entries()) {
      if (similarity(word, other.word) > 0) alike.push(other);
      if (i % WORDS_A_STEP === WORDS_A_STEP - 1) yield;
    }
    return alike;
  }

  private indexed(word: string): IndexedWord {
    const known = this.words.get(word);
    if (known) return known;
    const made: IndexedWord = { word, alone: [], joined: [] };
    this.words.set(word, made);
    for (const block of blocks(word)) {
      const members = this.inBlock.get(block);
      if (members) members.push(made);
      else this.inBlock.set(block, [made]);
    }
    return made;
  }
}
