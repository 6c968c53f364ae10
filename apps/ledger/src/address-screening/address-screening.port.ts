import type { AddressHit } from '@ponte/contracts';
import type { ListInUse } from '@ponte/observability';

/** Looks addresses up in sanctions lists. */
export interface AddressScreening {
  /**
   * Returns the list entries that name the address; empty if none does.
   *
   * @param address in lower case
   */
  screen(address: string): readonly AddressHit[];

  /**
   * Loads the list if its content has changed. Rejects for as long as it cannot be used; the previous list then stays
   * in force.
   *
   * @returns whether a new list is in force
   */
  refresh(): Promise<boolean>;

  /** The lists as they are used, for metrics; without those that are part of the program. */
  inUse(): readonly ListInUse[];
}

export const ADDRESS_SCREENING = Symbol('AddressScreening');
