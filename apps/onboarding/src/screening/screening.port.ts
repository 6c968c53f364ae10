/** Who is looked for. What is personal goes to the matcher and nowhere else. */
export interface ScreeningSubject {
  /** Pseudonym of the person, for a vendor's own records. */
  readonly subjectRef: string;
  /** Whole names as they may be written, the holder's first. */
  readonly names: readonly string[];
  /** YYYY-MM-DD; null when it is not known. */
  readonly dateOfBirth: string | null;
  /** ISO 3166-1 alpha-3 of the identifier. */
  readonly country: string;
}

export interface ScreeningMatch {
  /** `un-consolidated`, `pep`, or a vendor's name of a list. */
  readonly list: string;
  readonly entryId: string;
  /** 0 to 100. */
  readonly score: number;
  /** What was compared, for the reviewer. Personal: the caller seals it. */
  readonly matchedOn: string;
}

export interface ScreeningResult {
  readonly hits: readonly ScreeningMatch[];
}

/** Sanctions and PEP lists. Throws `Unavailable` when it cannot tell; asking again changes nothing. */
export interface Screening {
  screen(subject: ScreeningSubject): Promise<ScreeningResult>;
}

export const SCREENING = Symbol('Screening');

/** A vendor says that it knows more of someone: a reason to ask again, and nothing to be believed by itself. */
export interface ScreeningNotice {
  readonly subjectRef: string;
  readonly providerEventId: string;
}

/** Where a vendor's notices arrive, once their signature was checked. */
export interface ScreeningNotices {
  /** A listener that throws makes the vendor send again. One listener. */
  listen(listener: (notice: ScreeningNotice) => Promise<void>): void;
}
