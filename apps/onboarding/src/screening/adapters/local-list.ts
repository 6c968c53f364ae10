import type { NameIndex } from '../name-index/name-index.domain';
import { BadList } from './bad-list';
import type { ListSource, ListState } from './list-source';
import type { ListRoom, ReadList } from './read-list';
import { readList } from './read-list';

/** A list rarely shrinks. One that lost more than half of its people was truncated, or is a different list. */
const LEAST_SHARE_LEFT = 0.5;

interface Refused {
  /** The file that was refused; null if it could not be read, which may be different the next time. */
  readonly version: string | null;
  readonly room: ListRoom;
  readonly error: unknown;
}

/** One list as this process uses it. If its file changes to one that cannot be used, its previous entries stay. */
export class LocalList {
  private used: (ReadList & { readonly state: ListState }) | undefined;
  private refused: Refused | undefined;

  constructor(private readonly source: ListSource) {}

  get name(): string {
    return this.source.name;
  }

  /** The list in use. Throws before the first {@link refresh}. */
  get current(): ReadList & { readonly state: ListState } {
    if (!this.used) throw new Error(`the list ${this.name} has not been loaded`);
    return this.used;
  }

  /** 0 before the first {@link refresh}. */
  get names(): number {
    return this.used?.index.size ?? 0;
  }

  /** 0 before the first {@link refresh}. */
  get bytes(): number {
    return this.used?.bytes ?? 0;
  }

  /** Why the present file cannot be used; undefined if it is in use. */
  get refusal(): unknown {
    return this.refused?.error;
  }

  /**
   * Reads the file if it has changed. A file that was refused is not read again until it changes or may take
   * more. Throws if there are no previous entries.
   *
   * @returns whether a changed list is in use
   */
  async refresh(room: ListRoom): Promise<boolean> {
    let version: string | null = null;
    try {
      const state = await this.source.state();
      version = state.version;
      if (this.used?.state.version === version) {
        this.refused = undefined;
        return false;
      }
      if (this.refused?.version === version && isWithin(room, this.refused.room)) return false;
      const list = await readList(this.source, room);
      this.assertNotTruncated(list.index);
      this.used = { ...list, state };
      this.refused = undefined;
      return true;
    } catch (error) {
      if (!this.used) throw error;
      this.refused = { error, room, version: error instanceof BadList ? version : null };
      return false;
    }
  }

  private assertNotTruncated({ entries }: NameIndex): void {
    if (this.used && entries < this.used.index.entries * LEAST_SHARE_LEFT)
      throw new BadList(`the list ${this.name} lost more than half of its entries; restart to accept it`);
  }
}

const isWithin = (room: ListRoom, other: ListRoom): boolean => room.names <= other.names && room.bytes <= other.bytes;
