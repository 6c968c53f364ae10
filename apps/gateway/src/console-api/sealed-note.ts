import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { SealBroken } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import type { Call } from '../edge/request-context';

/** What opens the encrypted notes, and where a damaged one is reported, with the request that found it. */
export interface NoteOpening {
  readonly personalData: Pick<PersonalData, 'open'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly call: Pick<Call, 'logged'>;
}

/** Stands for a note that is damaged. */
const UNAVAILABLE = '[unavailable]';

/**
 * The text of a note of staff; `[erased]` after the data of its person was erased. A damaged note is logged as `what`
 * with the ids, and must not hide its resource, nor the others of a list.
 */
export async function openNote(
  note: Sealed,
  what: string,
  ids: Readonly<Record<string, unknown>>,
  { personalData, logger, call }: NoteOpening,
): Promise<string> {
  try {
    return await personalData.open(note);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    logger.error({ ...call.logged, ...ids }, `${what} cannot be decrypted`);
    return UNAVAILABLE;
  }
}
