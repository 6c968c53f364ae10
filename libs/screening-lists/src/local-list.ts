import { BadList } from './bad-list';
import type { ListSource, ListState } from './list-source';
import { ListText } from './list-text';
import type { Publication } from './publication';
import { isBefore, latestOf, publicationText } from './publication';

/** A list rarely shrinks. One that lost more than half of its entries was truncated, or is a different list. */
const MIN_SHARE_LEFT = 0.5;

/** The most that a list may take, such as names or bytes of memory. */
type Limits = Readonly<Record<string, number>>;

/** Reads a list's text into what is kept of it. */
export interface ListReader<T, L extends Limits> {
  /**
   * Reads all pieces. Lets other work of the process have its turn in between. Throws {@link BadList} if the list is
   * invalid or needs more than the limits.
   */
  read(pieces: AsyncIterable<string>, limits: L): Promise<T>;
  /** The number of entries, which must not fall by more than half. */
  entries(content: T): number;
  /** When the list was published, as it states it, which must not go back; null if it does not. */
  published(content: T): Publication | null;
}

interface LoadedList<T> {
  readonly content: T;
  /** SHA-256 of the text, the same on every process. */
  readonly digest: string;
  readonly state: ListState;
}

interface Refused<L> {
  /** The state that was refused; null if it could not be read, which may be different the next time. */
  readonly version: string | null;
  /** Of the text that was refused; null if it could not be read. */
  readonly digest: string | null;
  readonly limits: L;
  readonly error: unknown;
}

/** One list as this process uses it. If its file changes to one that cannot be used, its previous entries stay. */
export class LocalList<T, L extends Limits> {
  private used: LoadedList<T> | undefined;
  private refused: Refused<L> | undefined;
  /** Of the list in use, or of an earlier one of the same day if only that one states a time. */
  private published: Publication | null = null;

  constructor(
    private readonly source: ListSource,
    private readonly reader: ListReader<T, L>,
  ) {}

  get name(): string {
    return this.source.name;
  }

  /** What is kept of the list in use; undefined before the first {@link refresh}. */
  get loaded(): T | undefined {
    return this.used?.content;
  }

  /** The list in use. Throws before the first {@link refresh}. */
  get current(): LoadedList<T> {
    if (!this.used) throw new Error(`the list ${this.name} has not been loaded`);
    return this.used;
  }

  /** Why the current file cannot be used; undefined if it is in use. */
  get refusal(): unknown {
    return this.refused?.error;
  }

  /**
   * Reads the file if its content has changed. A refused file is not read again until its content changes or may take
   * more. Throws if there are no previous entries.
   *
   * @returns whether a changed list is in use
   */
  async refresh(limits: L): Promise<boolean> {
    let version: string | null = null;
    let text: ListText | null = null;
    try {
      const state = await this.source.state();
      version = state.version;
      if (await this.isKnown(state, limits)) return false;
      text = new ListText(this.source);
      const content = await this.reader.read(text.pieces(), limits);
      this.assertNotTruncated(content);
      const published = this.reader.published(content);
      this.assertNotOlder(published);
      this.used = { content, state, digest: await text.digest() };
      // A list without a date does not change which one is too old.
      if (published) this.published = latestOf(this.published, published);
      this.refused = undefined;
      return true;
    } catch (error) {
      if (!this.used) throw error;
      const isOfText = error instanceof BadList;
      const digest = isOfText ? ((await text?.digest().catch(() => null)) ?? null) : null;
      this.refused = { error, limits, digest, version: isOfText ? version : null };
      return false;
    }
  }

  /** Whether the text is in use, or was refused and would be again. It is hashed only if it was written since. */
  private async isKnown(state: ListState, limits: L): Promise<boolean> {
    const { used } = this;
    if (!used) return false;
    const refused = this.refused && isWithin(limits, this.refused.limits) ? this.refused : null;
    if (refused?.version === state.version) return true;
    const digest = used.state.version === state.version ? used.digest : await this.source.digest();
    if (digest === used.digest) {
      this.used = { ...used, state };
      this.refused = undefined;
      return true;
    }
    if (digest !== refused?.digest) return false;
    this.refused = { ...refused, version: state.version };
    return true;
  }

  private assertNotTruncated(content: T): void {
    if (!this.used) return;
    const [before, now] = [this.reader.entries(this.used.content), this.reader.entries(content)];
    if (now < before * MIN_SHARE_LEFT)
      throw new BadList(
        `the list ${this.name} lost more than half of its entries (${before} before, ${now} now): it may be truncated; restart to accept it`,
      );
  }

  /** An older list lacks the entries that were added since. */
  private assertNotOlder(now: Publication | null): void {
    const before = this.published;
    if (before === null || now === null || !isBefore(now, before)) return;
    throw new BadList(
      `the list ${this.name} is older than the one in use (${publicationText(before)} before, ${publicationText(now)} now): it may be a former file; restart to accept it`,
    );
  }
}

const isWithin = (limits: Limits, others: Limits): boolean =>
  Object.entries(limits).every(([name, limit]) => limit <= (others[name] ?? -Infinity));
