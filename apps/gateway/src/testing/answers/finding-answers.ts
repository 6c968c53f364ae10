import type { ScreeningFinding } from '@ponte/contracts';
import {
  JudgeScreeningFinding,
  ListScreeningFindings,
  OpenScreeningFinding,
  SearchScreeningFindings,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SAMPLE } from '../../api/samples';
import { CASE_HOLDER } from '../queue-items';
import { STAFF } from '../staff-members';
import type { StubBus } from '../stub-bus';

/** Answers with one finding of ongoing screening, which one staff member has judged. */
export function answerFindings(bus: StubBus, personalData: PersonalData): void {
  const finding = async (id: string = SAMPLE.quoteId): Promise<ScreeningFinding> => ({
    ...{ id, subjectId: CASE_HOLDER, accountId: SAMPLE.accountId, person: 'holder', status: 'open', version: 2 },
    hit: {
      ...{ list: 'un-consolidated', entryId: 'QDi.001', score: 93, entryVersion: 'v1' },
      match: await personalData.seal(CASE_HOLDER, 'Canary match'),
    },
    ...{ listsVersion: 'lists-1', openedAt: SAMPLE.time, freezeRequestedAt: null, settledAt: null },
    verdicts: [
      {
        ...{ verdict: 'false-positive', reason: 'birth-date-differs', judgedAt: SAMPLE.time },
        ...{ staffId: STAFF.analyst.staffId, roles: STAFF.analyst.roles },
        note: await personalData.seal(CASE_HOLDER, 'Canary note'),
      },
    ],
  });
  bus.on(ListScreeningFindings, async () => ({ findings: [await finding()] }));
  bus.on(SearchScreeningFindings, async () => ({ items: [await finding()], next: null }));
  bus.on(OpenScreeningFinding, ({ findingId }) => (findingId === SAMPLE.quoteId ? finding(findingId) : null));
  bus.on(JudgeScreeningFinding, ({ findingId }) => finding(findingId));
}
