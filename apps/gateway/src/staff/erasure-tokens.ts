import type { PersonKey } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';

/** Subject under which a prepared erasure is sealed. */
const SUBJECT = 'staff-erasure';
export const CONFIRM_WITHIN_MS = 600_000;

/** An erasure that a staff member prepared and may now confirm. */
export interface PreparedErasure {
  readonly person: PersonKey;
  readonly staffId: string;
  /** A fingerprint of the text that has to be typed. */
  readonly expected: string;
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
export async function writePrepared(
  personalData: Pick<PersonalData, 'seal'>,
  prepared: PreparedErasure,
): Promise<string> {
  return Buffer.from(await personalData.seal(SUBJECT, JSON.stringify(prepared))).toString('base64url');
}

/** Undefined when the token is not ours, belongs to another staff member, or has expired. */
export async function readPrepared(
  personalData: Pick<PersonalData, 'open'>,
  token: string,
  staffId: string,
  nowMs: number,
): Promise<PreparedErasure | undefined> {
  const sealed = Buffer.from(token, 'base64url').toString('utf8');
  if (!sealed.startsWith(`sealed:v1:${SUBJECT}:`)) return undefined;
  try {
    const prepared = JSON.parse(await personalData.open(sealed as Sealed)) as PreparedErasure;
    return prepared.staffId === staffId && nowMs < prepared.until ? prepared : undefined;
  } catch {
    return undefined;
  }
}
