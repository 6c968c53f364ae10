import type { ListedBirth } from './birth-dates.domain';

/** How sure a list is that the person is known by the name. */
export type NameQuality = 'name' | 'alias' | 'weak-alias';

export interface ListedName {
  readonly text: string;
  readonly quality: NameQuality;
}

/** A person on a list. */
export interface ListedPerson {
  readonly entryId: string;
  /** The main one first. */
  readonly names: readonly ListedName[];
  readonly births: readonly ListedBirth[];
  /** As the list writes them. */
  readonly nationalities: readonly string[];
  /** ISO 3166-1 alpha-3 of those nationalities whose code is known. */
  readonly countries: readonly string[];
}

export interface WatchList {
  /** `un-consolidated`, `pep`, or as the operator calls it. */
  readonly name: string;
  /** As the list dates itself; empty when it does not. */
  readonly version: string;
  readonly people: readonly ListedPerson[];
}
