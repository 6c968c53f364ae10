import { SubjectErased } from '@ponte/event-sourcing';

/**
 * Calls `seal` with the subject, or with `own` if the subject is null or was erased. The onboarding service records
 * data under `own` as a mention of the person, so that it is reported and can be erased too.
 */
export async function sealedUnder<T>(
  subject: string | null,
  own: string,
  seal: (subject: string) => Promise<T>,
): Promise<T> {
  if (subject === null) return seal(own);
  try {
    return await seal(subject);
  } catch (error) {
    if (error instanceof SubjectErased) return seal(own);
    throw error;
  }
}
