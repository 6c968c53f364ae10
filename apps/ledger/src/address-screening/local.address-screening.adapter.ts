import { readFile, stat } from 'node:fs/promises';
import type { AddressHit } from '@ponte/contracts';
import type { AddressScreening } from './address-screening.port';
import { BadAddressList, addressesOf } from './ofac-list';
import { SANDBOX_HITS } from './sandbox-addresses';

type Hits = ReadonlyMap<string, readonly AddressHit[]>;

/** A list seldom shrinks; one that lost half of its addresses was cut off, or is another. */
const LEAST_SHARE_LEFT = 0.5;

/** A list in OFAC's format from a file, or the magic address of the sandbox. */
export class LocalAddressScreening implements AddressScreening {
  private constructor(
    private hits: Hits,
    private readonly file: string | null,
    private version: string,
  ) {}

  /** Rejects when the file cannot be read or is not such a list, so that no process starts without one. */
  static async open(file: string): Promise<LocalAddressScreening> {
    const version = await versionOf(file);
    return new LocalAddressScreening(addressesOf(await readFile(file, 'utf8')), file, version);
  }

  /** Knows the magic address of the sandbox alone. */
  static sandbox(): LocalAddressScreening {
    return new LocalAddressScreening(SANDBOX_HITS, null, '');
  }

  /** Knows no address: an installation that accepts no withdrawals of tokens. */
  static none(): LocalAddressScreening {
    return new LocalAddressScreening(new Map(), null, '');
  }

  screen(address: string): readonly AddressHit[] {
    return this.hits.get(address.toLowerCase()) ?? [];
  }

  /**
   * Reads the file again if it has changed. A list that cannot be read, or that lost half of its addresses, is not
   * taken over: the one before stays in force, and this rejects.
   *
   * @returns whether another list is in force
   */
  async refresh(): Promise<boolean> {
    if (this.file === null) return false;
    const version = await versionOf(this.file);
    if (version === this.version) return false;
    const hits = addressesOf(await readFile(this.file, 'utf8'));
    if (hits.size < this.hits.size * LEAST_SHARE_LEFT) {
      throw new BadAddressList(
        `the list has ${hits.size} addresses, the one before has ${this.hits.size}: it may be cut off`,
      );
    }
    this.hits = hits;
    this.version = version;
    return true;
  }
}

async function versionOf(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs} ${size} ${ino}`;
}
