import type { PersonalData, Sealed } from '@ponte/event-sourcing';

/**
 * Writes data into a token that only this installation can read, for state that a browser keeps and sends back: any
 * replica can continue, and what is abandoned leaves nothing behind. A token is read under the subject under which it
 * was written.
 */
export async function writeSealedToken(
  personalData: Pick<PersonalData, 'seal'>,
  subject: string,
  data: { readonly until: number },
): Promise<string> {
  return Buffer.from(await personalData.seal(subject, JSON.stringify(data))).toString('base64url');
}

/** Undefined when the token is not of this subject or its `until` (epoch milliseconds) has passed. */
export async function readSealedToken<T extends { readonly until: number }>(
  personalData: Pick<PersonalData, 'open'>,
  subject: string,
  token: string,
  nowMs: number,
): Promise<T | undefined> {
  const sealed = Buffer.from(token, 'base64url').toString('utf8');
  if (!sealed.startsWith(`sealed:v1:${subject}:`)) return undefined;
  try {
    const data = JSON.parse(await personalData.open(sealed as Sealed)) as T;
    return nowMs < data.until ? data : undefined;
  } catch {
    return undefined;
  }
}
