import type { ErasureOutcome, PersonKey } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { readSealedToken, writeSealedToken } from './sealed-token';

/** Subject under which a prepared erasure is sealed. */
const SUBJECT = 'staff-erasure';
export const CONFIRM_WITHIN_MS = 600_000;

/** An erasure that a staff member prepared and may now confirm. */
interface PreparedErasure {
  readonly person: PersonKey;
  readonly staffId: string;
  /** A fingerprint of the text that has to be typed. */
  readonly expected: string;
  /** What the staff member was shown that the erasure would do. */
  readonly outcome: ErasureOutcome;
  /** Epoch milliseconds of the system clock. */
  readonly until: number;
}

/** Normalizes a text for comparison, without regard to case, accents, spaces, full stops and hyphens. */
const comparable = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s.-]+/g, '')
    .toLowerCase();

export const typedFingerprint = (personalData: Pick<PersonalData, 'fingerprint'>, text: string): string =>
  personalData.fingerprint('erasure-confirmation', comparable(text));

/** The preparation stores nothing: this token contains it, and the confirmation sends it back. */
export const writePrepared = (personalData: Pick<PersonalData, 'seal'>, prepared: PreparedErasure): Promise<string> =>
  writeSealedToken(personalData, SUBJECT, prepared);

/** Undefined when the token is not ours, belongs to another staff member, or has expired. */
export async function readPrepared(
  personalData: Pick<PersonalData, 'open'>,
  token: string,
  staffId: string,
  nowMs: number,
): Promise<PreparedErasure | undefined> {
  const prepared = await readSealedToken<PreparedErasure>(personalData, SUBJECT, token, nowMs);
  return prepared?.staffId === staffId ? prepared : undefined;
}
