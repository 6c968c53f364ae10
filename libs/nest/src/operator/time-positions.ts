import type { TimeReader } from '@ponte/operator';
import type { Kysely } from 'kysely';

/** The positions of readers that do not store them as checkpoints. Readers that have read nothing are omitted. */
export async function ownPositionsOf(
  readers: readonly TimeReader[],
  readModels: Kysely<unknown>,
): Promise<{ readonly reader: string; readonly position: string }[]> {
  const positions: { reader: string; position: string }[] = [];
  for (const { name, positionIn } of readers) {
    const position = await positionIn?.(readModels).shown();
    if (position !== undefined) positions.push({ reader: name, position });
  }
  return positions;
}
