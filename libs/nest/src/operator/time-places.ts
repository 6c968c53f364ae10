import type { TimeReader } from '@ponte/operator';
import type { Kysely } from 'kysely';

/** The places of readers that do not keep them as checkpoints; without those that have read nothing. */
export async function placesOf(
  readers: readonly TimeReader[],
  views: Kysely<unknown>,
): Promise<{ readonly reader: string; readonly place: string }[]> {
  const places: { reader: string; place: string }[] = [];
  for (const { name, placeIn } of readers) {
    const place = await placeIn?.(views).shown();
    if (place !== undefined) places.push({ reader: name, place });
  }
  return places;
}
