import type { AddressHit } from '@ponte/contracts';

/** Knows addresses that sanctions lists name. */
export interface AddressScreening {
  /**
   * Entries that name the address; empty when no list does.
   *
   * @param address in lower case
   */
  screen(address: string): readonly AddressHit[];
}

export const ADDRESS_SCREENING = Symbol('AddressScreening');
