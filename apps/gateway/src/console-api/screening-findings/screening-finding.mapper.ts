import type { ScreeningFinding } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import type { NameOf } from '../../staff/names.service';
import { staffRef } from '../review/queue.mapper';
import type { NoteOpening } from '../sealed-note';
import { openNote } from '../sealed-note';
import type { OpenedFindingDto, ScreeningFindingDto } from './screening-finding.dto';

/** The ids of the staff members in the findings. */
export const staffIn = (findings: readonly ScreeningFinding[]): readonly string[] =>
  findings.flatMap(({ verdicts }) => verdicts.map(({ staffId }) => staffId));

const shown = (finding: ScreeningFinding) => ({
  ...toWire(finding, 'id', 'accountId', 'person', 'status', 'version', 'openedAt', 'freezeRequestedAt'),
  ...toWire(finding.hit, 'list', 'entryId', 'score'),
});

export const findingDto = (finding: ScreeningFinding, nameOf: NameOf): ScreeningFindingDto => ({
  ...shown(finding),
  verdicts: finding.verdicts.map(({ verdict, reason, staffId, judgedAt }) => ({
    verdict,
    reason,
    staff: staffRef(staffId, nameOf),
    at: judgedAt,
  })),
});

/** The finding with what was compared and the notes in clear. */
export const openedFindingDto = async (
  finding: ScreeningFinding,
  nameOf: NameOf,
  opening: NoteOpening,
): Promise<OpenedFindingDto> => {
  const ids = { findingId: finding.id };
  return {
    ...shown(finding),
    match: await openNote(finding.hit.match, 'what a screening compared', ids, opening),
    verdicts: await Promise.all(
      finding.verdicts.map(async ({ verdict, reason, note, staffId, judgedAt }) => ({
        verdict,
        reason,
        note: note && (await openNote(note, 'the note of a verdict', ids, opening)),
        staff: staffRef(staffId, nameOf),
        at: judgedAt,
      })),
    ),
  };
};
