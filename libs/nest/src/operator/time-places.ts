import type { TimeReader } from '@ponte/operator';
import type { Kysely } from 'kysely';

/** The places of readers that do not store them as checkpoints. Readers that have read nothing are omitted. */
export async function placesOf(
  readers: readonly TimeReader[],
  readModels: Kysely<unknown>,
): Promise<{ readonly reader: string; readonly place: string }[]> {
  const places: { reader: string; place: string }[] = [];
  for (const { name, placeIn } of readers) {
    const place = await placeIn?.(readModels).shown();
    if (place !== undefined) places.push({ reader: name, place });
  }
  return places;
}
