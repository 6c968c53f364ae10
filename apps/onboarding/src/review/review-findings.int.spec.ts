import * as contracts from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, cpfOf, openParent, post, requestFor } from '../testing/people';
import { decideAsRead, requestsOf, startWithPartner } from '../testing/requests';
import { NO_QUEUE_FILTERS } from '../testing/queue-filters';
import { NO_INFORMATION } from '../testing/kyc-request';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner());
});

afterAll(() => onboarding.stop());

const { nextCpf, until, made, waiting } = requestsOf(() => ({ onboarding, parentId }));

const secret = (text: string) => contracts.sealRequest(onboarding.engines.personalData, { secret: text });

describe('Review by compliance', () => {
  it('receives hits and failed liveness sessions, with the compared values sealed', async () => {
    onboarding.vendors.screening.hits = [
      { list: 'un-consolidated', entryId: 'QDi.001', score: 93, matchedOn: 'JOANA LIMAH' },
    ];
    onboarding.vendors.liveness.outcome = 'failed';
    const record = await waiting();
    onboarding.vendors.screening.hits = [];
    onboarding.vendors.liveness.outcome = 'passed';
    const reviewed = await onboarding.ask(contracts.OpenReviewCase, {
      requestId: record.requestId,
      staff: APPROVER,
      purpose: 'review',
      note: null,
    });
    expect(reviewed?.item.causes).toEqual(['screening-hit', 'liveness-failed', 'four-eyes']);
    expect(
      reviewed?.checklist
        .filter(({ check, outcome }) => outcome === 'attention' && check !== 'duplicates')
        .map(({ check }) => check),
    ).toEqual(['screening', 'liveness']);
    expect(
      await onboarding.engines.personalData.open(reviewed?.screening[0]?.hits[0]?.match as `sealed:v1:${string}`),
    ).toBe('JOANA LIMAH');
  });

  it('shows a liveness session that another person has named, while the same person may name it again under any partner', async () => {
    const liveness = { id: 'session-of-one-face', provider: 'provider-1' };
    const cause = async (requestId: string) => {
      const reviewed = await onboarding.ask(contracts.OpenReviewCase, {
        requestId,
        staff: APPROVER,
        purpose: 'review',
        note: null,
      });
      return [
        reviewed?.item.causes,
        reviewed?.checklist.find(({ check }) => check === 'liveness')?.outcome,
        reviewed?.livenessSharedWith,
      ];
    };
    const cpf = nextCpf();
    const first = await until((await made({ liveness }, cpf)).requestId, 'manual-review');
    expect(await cause(first.requestId)).toEqual([['standard'], 'passed', []]);
    await decideAsRead(onboarding, contracts.AskInformation, {
      requestId: first.requestId,
      staff: ANALYST,
      items: ['liveness'],
      issues: [],
      note: null,
    });
    const again = {
      ...NO_INFORMATION,
      liveness,
    };
    await onboarding.ask(contracts.ProvideInformation, {
      parentId,
      requestId: first.requestId,
      body: await contracts.sealRequest(onboarding.engines.personalData, again),
    });
    await until(first.requestId, 'manual-review');
    const other = await openParent(onboarding);
    const { request: elsewhere } = await post(
      onboarding,
      other,
      await requestFor(onboarding, other, cpf, { liveness }),
    );
    await until(elsewhere.requestId, 'manual-review', other);
    expect([await cause(first.requestId), await cause(elsewhere.requestId)]).toEqual([
      [['information-provided'], 'passed', []],
      [['standard'], 'passed', []],
    ]);

    const second = await waiting({ liveness });
    expect(await cause(second.requestId)).toEqual([
      ['liveness-shared', 'four-eyes'],
      'attention',
      [first.requestId, elsewhere.requestId],
    ]);
    // Approvers who already had the results are notified, and their case needs four eyes too.
    await eventually(async () =>
      expect(await cause(first.requestId)).toEqual([
        ['information-provided', 'liveness-shared', 'four-eyes'],
        'attention',
        [second.requestId],
      ]),
    );
    await eventually(async () =>
      expect((await cause(elsewhere.requestId))[0]).toEqual(['liveness-shared', 'four-eyes']),
    );
    const { items } = await onboarding.ask(contracts.ListReviewQueue, {
      filters: { ...NO_QUEUE_FILTERS, causes: ['liveness-shared'] },
      order: 'oldest',
      limit: 50,
      cursor: null,
    });
    const flagged = items.map(({ requestId }) => requestId);
    expect([first, elsewhere, second].map(({ requestId }) => flagged.includes(requestId))).toEqual([true, true, true]);
    // A sandbox CPF keeps its outcome, and another provider's session with the same id is a different session.
    await until((await made({ liveness }, cpfOf(900_111_222))).requestId, 'active');
    expect(await cause((await waiting({ liveness: { ...liveness, provider: 'provider-2' } })).requestId)).toEqual([
      ['standard'],
      'passed',
      [],
    ]);
  });

  it('shows a session that was made more than a day before the request', async () => {
    onboarding.vendors.liveness.decidedAtMs = onboarding.engines.clock.now() - 25 * 3_600_000;
    const { requestId } = await waiting({ liveness: { id: 'session-of-yesterday', provider: 'provider-1' } });
    onboarding.vendors.liveness.decidedAtMs = onboarding.engines.clock.now();
    const view = { requestId, staff: APPROVER, purpose: 'review', note: null } as const;
    const reviewed = await onboarding.ask(contracts.OpenReviewCase, view);
    expect(reviewed?.item).toMatchObject({ causes: ['liveness-old', 'four-eyes'], fourEyes: true });
    expect(reviewed?.checklist).toContainEqual(expect.objectContaining({ check: 'liveness', outcome: 'attention' }));
  });

  it("receives both requests that wait for one session, each with the session's result", async () => {
    onboarding.vendors.liveness.outcome = 'pending';
    const liveness = { id: 'session-that-both-wait-for', provider: 'provider-1' };
    const both = [(await made({ liveness })).requestId, (await made({ liveness })).requestId];
    await eventually(async () =>
      expect(
        (await onboarding.events()).filter(
          ({ type, data }) => type === 'LivenessRecorded' && both.includes((data as { requestId: string }).requestId),
        ),
      ).toHaveLength(2),
    );
    for (const requestId of both)
      await eventually(async () =>
        expect(
          (await onboarding.events()).filter(
            ({ type, data }) => type === 'ScreeningRecorded' && (data as { requestId: string }).requestId === requestId,
          ),
        ).toHaveLength(1),
      );
    onboarding.vendors.liveness.outcome = 'passed';
    expect(
      await onboarding.ask(contracts.RecordLiveness, {
        provider: 'provider-1',
        sessionId: await secret(liveness.id),
        providerEventId: 'word',
        outcome: 'passed',
        decidedAt: isoTime(onboarding.engines.clock.now()),
      }),
    ).toEqual({ known: true });
    for (const requestId of both) {
      await until(requestId, 'manual-review');
      const reviewed = await onboarding.ask(contracts.OpenReviewCase, {
        requestId,
        staff: APPROVER,
        purpose: 'review',
        note: null,
      });
      expect([reviewed?.item.causes, reviewed?.liveness?.outcome, reviewed?.livenessSharedWith]).toEqual([
        ['liveness-shared', 'four-eyes'],
        'passed',
        both.filter((one) => one !== requestId),
      ]);
    }
  });
});
