import { readFile, stat } from 'node:fs/promises';
import type { AddressHit } from '@ponte/contracts';
import type { ListInUse } from '@ponte/observability';
import type { AddressScreening } from './address-screening.port';
import { BadAddressList, LIST, addressesOf } from './ofac-list';
import { SANDBOX_HITS } from './sandbox-addresses';

type Hits = ReadonlyMap<string, readonly AddressHit[]>;

interface FileState {
  /** Changes when the file changes. */
  readonly version: string;
  /** In epoch milliseconds. */
  readonly writtenAt: number;
}

const NO_FILE: FileState = { version: '', writtenAt: 0 };

/** A list rarely shrinks. One that lost more than half of its addresses was truncated, or is a different list. */
const LEAST_SHARE_LEFT = 0.5;

/** A list in OFAC's format read from a file, or the magic address of the sandbox. */
export class LocalAddressScreening implements AddressScreening {
  private isRefused = false;

  private constructor(
    private hits: Hits,
    private readonly file: string | null,
    private state: FileState,
  ) {}

  /** Rejects if the file cannot be read or is not such a list, so that no process starts without a list. */
  static async open(file: string): Promise<LocalAddressScreening> {
    const state = await stateOf(file);
    return new LocalAddressScreening(addressesOf(await readFile(file, 'utf8')), file, state);
  }

  /** Contains only the magic address of the sandbox. */
  static sandbox(): LocalAddressScreening {
    return new LocalAddressScreening(SANDBOX_HITS, null, NO_FILE);
  }

  /** Contains no address: for an installation that accepts no token withdrawals. */
  static none(): LocalAddressScreening {
    return new LocalAddressScreening(new Map(), null, NO_FILE);
  }

  screen(address: string): readonly AddressHit[] {
    return this.hits.get(address.toLowerCase()) ?? [];
  }

  /**
   * Reads the file again if it has changed. Rejects if the list cannot be read or lost more than half of its addresses;
   * the previous list then stays in force.
   *
   * @returns whether a new list is in force
   */
  async refresh(): Promise<boolean> {
    if (this.file === null) return false;
    try {
      const isChanged = await this.load(this.file);
      this.isRefused = false;
      return isChanged;
    } catch (error) {
      this.isRefused = true;
      throw error;
    }
  }

  inUse(): readonly ListInUse[] {
    if (this.file === null) return [];
    return [{ name: LIST, entries: this.hits.size, writtenAt: this.state.writtenAt, isRefused: this.isRefused }];
  }

  private async load(file: string): Promise<boolean> {
    const state = await stateOf(file);
    if (state.version === this.state.version) return false;
    const hits = addressesOf(await readFile(file, 'utf8'));
    if (hits.size < this.hits.size * LEAST_SHARE_LEFT) {
      throw new BadAddressList(
        `the list has ${hits.size} addresses, the previous one has ${this.hits.size}: it may be truncated`,
      );
    }
    this.hits = hits;
    this.state = state;
    return true;
  }
}

async function stateOf(file: string): Promise<FileState> {
  const { mtimeMs, size, ino } = await stat(file);
  return { version: `${mtimeMs} ${size} ${ino}`, writtenAt: mtimeMs };
}
