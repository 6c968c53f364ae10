import type { AddressHit } from '@ponte/contracts';

/** Knows addresses that sanctions lists name. */
export interface AddressScreening {
  /**
   * Entries that name the address; empty when no list does.
   *
   * @param address in lower case
   */
  screen(address: string): readonly AddressHit[];

  /**
   * Takes over a list that has changed. Rejects when it cannot be read; the list before stays in force.
   *
   * @returns whether another list is in force
   */
  refresh(): Promise<boolean>;
}

export const ADDRESS_SCREENING = Symbol('AddressScreening');
