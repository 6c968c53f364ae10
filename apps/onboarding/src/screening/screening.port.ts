/** The person to screen. The personal data is given only to the matcher. */
export interface ScreeningSubject {
  /** A pseudonym of the person, for the vendor's own records. */
  readonly subjectRef: string;
  /** Full names in their possible spellings, the holder's own name first. */
  readonly names: readonly string[];
  /** YYYY-MM-DD; null if unknown. */
  readonly dateOfBirth: string | null;
  /** ISO 3166-1 alpha-3 code of the identifier's country. */
  readonly country: string;
}

export interface ScreeningMatch {
  /**
   * `un-consolidated`, `pep`, a vendor's list (renamed if the configuration says so), or `name-letters` for a name that
   * has to be read.
   */
  readonly list: string;
  readonly entryId: string;
  /** 0 to 100. */
  readonly score: number;
  /** What was compared, for the reviewer. Personal data: the caller seals it. */
  readonly matchedOn: string;
  /** Identifies the content of the entry; absent if the source does not tell. */
  readonly entryVersion?: string;
}

export interface ScreeningResult {
  /** All hits, the best ones of each list first: the caller decides how many a case shows. */
  readonly hits: readonly ScreeningMatch[];
}

/** Screens against sanctions and PEP lists. Throws `Unavailable` without a result; repeating a call is harmless. */
export interface Screening {
  screen(subject: ScreeningSubject): Promise<ScreeningResult>;
  /**
   * Identifies the lists, the threshold and the rules of comparison in use, the same on every process of a release. It
   * changes when a person may have other hits than before. The lists of a vendor have no version, so theirs never
   * changes.
   */
  listsVersion(): string;
}

export const SCREENING = Symbol('Screening');

/** A vendor's notice of new results about a person. It only triggers another screening and is not trusted. */
export interface ScreeningNotice {
  readonly subjectRef: string;
  readonly providerEventId: string;
}

/** Receives notices of a vendor after their signature was checked. */
export interface ScreeningNotices {
  /** Sets the only listener. If it throws, the vendor resends the notice. */
  listen(listener: (notice: ScreeningNotice) => Promise<void>): void;
}

/** Null if no vendor sends notices. */
export const SCREENING_NOTICES = Symbol('ScreeningNotices');
