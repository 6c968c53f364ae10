import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { openIfReadable, UNAVAILABLE } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import type { Call } from '../edge/request-context.service';

/** What opens the encrypted notes, and where a damaged one is reported, with the request that found it. */
export interface NoteOpening {
  readonly personalData: Pick<PersonalData, 'open'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly call: Pick<Call, 'logged'>;
}

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
  const text = await openIfReadable(personalData, note);
  if (text === undefined) logger.error({ ...call.logged, ...ids }, `${what} cannot be decrypted`);
  return text ?? UNAVAILABLE;
}
