import { readFile } from 'node:fs/promises';
import type { AddressHit } from '@ponte/contracts';
import type { AddressScreening } from './address-screening.port';
import { addressesOf } from './ofac-list';
import { SANDBOX_HITS } from './sandbox-addresses';

/** A list in OFAC's format from a file, read once at start: a new list takes effect with a rollout. */
export class LocalAddressScreening implements AddressScreening {
  private constructor(private readonly hits: ReadonlyMap<string, readonly AddressHit[]>) {}

  /** Rejects when the file cannot be read or is not such a list, so that no process starts without one. */
  static async open(file: string): Promise<LocalAddressScreening> {
    return new LocalAddressScreening(addressesOf(await readFile(file, 'utf8')));
  }

  /** Knows the magic address of the sandbox alone. */
  static sandbox(): LocalAddressScreening {
    return new LocalAddressScreening(SANDBOX_HITS);
  }

  /** Knows no address: an installation that accepts no withdrawals of tokens. */
  static none(): LocalAddressScreening {
    return new LocalAddressScreening(new Map());
  }

  get size(): number {
    return this.hits.size;
  }

  screen(address: string): readonly AddressHit[] {
    return this.hits.get(address.toLowerCase()) ?? [];
  }
}
