import { readFile, stat } from 'node:fs/promises';
import type { AddressHit } from '@ponte/contracts';
import type { AddressScreening } from './address-screening.port';
import { BadAddressList, addressesOf } from './ofac-list';
import { SANDBOX_HITS } from './sandbox-addresses';

type Hits = ReadonlyMap<string, readonly AddressHit[]>;

/** A list rarely shrinks. One that lost more than half of its addresses was truncated, or is a different list. */
const LEAST_SHARE_LEFT = 0.5;

/** A list in OFAC's format read from a file, or the magic address of the sandbox. */
export class LocalAddressScreening implements AddressScreening {
  private constructor(
    private hits: Hits,
    private readonly file: string | null,
    private version: string,
  ) {}

  /** Rejects if the file cannot be read or is not such a list, so that no process starts without a list. */
  static async open(file: string): Promise<LocalAddressScreening> {
    const version = await versionOf(file);
    return new LocalAddressScreening(addressesOf(await readFile(file, 'utf8')), file, version);
  }

  /** Contains only the magic address of the sandbox. */
  static sandbox(): LocalAddressScreening {
    return new LocalAddressScreening(SANDBOX_HITS, null, '');
  }

  /** Contains no address: for an installation that accepts no token withdrawals. */
  static none(): LocalAddressScreening {
    return new LocalAddressScreening(new Map(), null, '');
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
    const version = await versionOf(this.file);
    if (version === this.version) return false;
    const hits = addressesOf(await readFile(this.file, 'utf8'));
    if (hits.size < this.hits.size * LEAST_SHARE_LEFT) {
      throw new BadAddressList(
        `the list has ${hits.size} addresses, the previous one has ${this.hits.size}: it may be truncated`,
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
