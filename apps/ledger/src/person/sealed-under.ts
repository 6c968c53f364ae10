import { SubjectErased } from '@ponte/event-sourcing';

/**
 * Calls `seal` with the subject, or with `own` if the person was erased. New data of an erased person gets its own
 * subject. The onboarding service records it as a mention of the person, so that it is reported and can be erased too.
 */
export async function sealedUnder<T>(subject: string, own: string, seal: (subject: string) => Promise<T>): Promise<T> {
  try {
    return await seal(subject);
  } catch (error) {
    if (error instanceof SubjectErased) return seal(own);
    throw error;
  }
}
