import type { ListedBirth } from './birth-dates.domain';

/** How certain the list is that the person uses the name. */
export type NameQuality = 'name' | 'alias' | 'weak-alias';

export interface ListedName {
  readonly text: string;
  readonly quality: NameQuality;
}

export interface ListedPerson {
  readonly entryId: string;
  /** The main name first. */
  readonly names: readonly ListedName[];
  readonly births: readonly ListedBirth[];
  /** As written in the list. */
  readonly nationalities: readonly string[];
  /** ISO 3166-1 alpha-3 codes of the nationalities that are known. */
  readonly countries: readonly string[];
}

export interface WatchList {
  /** `un-consolidated`, `pep`, or the name that the operator chose. */
  readonly name: string;
  /** The date that the list states for itself; empty if it states none. */
  readonly version: string;
  readonly people: readonly ListedPerson[];
}
