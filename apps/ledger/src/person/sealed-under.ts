import { SubjectErased } from '@ponte/event-sourcing';

/**
 * Calls `seal` with the subject, or with `own` if the person was erased. New data of an erased person gets its own
 * subject, which can be erased separately.
 */
export async function sealedUnder<T>(subject: string, own: string, seal: (subject: string) => Promise<T>): Promise<T> {
  try {
    return await seal(subject);
  } catch (error) {
    if (error instanceof SubjectErased) return seal(own);
    throw error;
  }
}
