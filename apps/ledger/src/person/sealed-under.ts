import { SubjectErased } from '@ponte/event-sourcing';

/**
 * What `seal` answers for a subject, or for `own` when the person was erased. Someone who was erased and comes again
 * leaves new data, which can be erased by itself.
 */
export async function sealedUnder<T>(subject: string, own: string, seal: (subject: string) => Promise<T>): Promise<T> {
  try {
    return await seal(subject);
  } catch (error) {
    if (error instanceof SubjectErased) return seal(own);
    throw error;
  }
}
