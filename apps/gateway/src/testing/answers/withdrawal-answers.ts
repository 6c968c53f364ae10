import {
  AdvanceWithdrawal,
  ConfirmUsdDeposit,
  CreateWithdrawal,
  DecideAddressReview,
  GetAddressReview,
  GetAnyWithdrawal,
  GetFxDays,
  GetIofPayable,
  GetWithdrawal,
  ListAddressMatches,
  ListAddressReviews,
  ListAllWithdrawals,
  ListUsdDeposits,
  ListWithdrawals,
  RecordUsdDeposit,
  RejectUsdDeposit,
  SearchAddressReviews,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SAMPLE } from '../../api/samples';
import { usdDepositRecord, withdrawalRecord } from '../records/money-records';
import type { StubBus } from '../stub-bus';

const REVIEW = {
  hits: [{ list: 'ofac-sdn', entryId: '101', programs: ['CYBER2'] }],
  heldAt: SAMPLE.time,
} as const;

export function answerWithdrawals(bus: StubBus, personalData: PersonalData): void {
  const one = (withdrawalId: string, accountId: string) =>
    withdrawalId === SAMPLE.withdrawalId ? withdrawalRecord(personalData, { accountId }) : null;
  const list = async (accountId: string) => ({
    items: [
      await withdrawalRecord(personalData, { accountId }),
      await withdrawalRecord(personalData, { accountId, method: 'ted', scheduledFor: SAMPLE.later }),
    ],
    next: null,
  });
  bus.on(CreateWithdrawal, ({ withdrawalId, accountId, amount, externalId }) =>
    withdrawalRecord(personalData, { id: withdrawalId, accountId, amount, externalId }),
  );
  bus.on(GetWithdrawal, async ({ withdrawalId, accountId }) => one(withdrawalId, accountId));
  bus.on(GetAnyWithdrawal, async ({ withdrawalId }) => one(withdrawalId, SAMPLE.accountId));
  bus.on(AdvanceWithdrawal, async ({ withdrawalId, accountIds: [accountId = ''] }) => one(withdrawalId, accountId));
  bus.on(ListWithdrawals, ({ accountId }) => list(accountId));
  bus.on(RecordUsdDeposit, ({ accountId, amount }) => usdDepositRecord(personalData, { accountId, amount }));
  for (const decision of [ConfirmUsdDeposit, RejectUsdDeposit])
    bus.on(decision, ({ depositId }) => usdDepositRecord(personalData, { id: depositId, status: 'credited' }));
  bus.on(ListUsdDeposits, async () => ({ items: [await usdDepositRecord(personalData)], next: null }));
  const reason = () => personalData.seal(SAMPLE.endpointId, 'Ticket 1');
  const review = async (id: string) => ({
    ...REVIEW,
    verdicts: [
      {
        staffId: SAMPLE.parentId,
        verdict: 'false-positive' as const,
        reason: await reason(),
        reviewedAt: SAMPLE.time,
      },
    ],
    id,
    subject: { kind: 'withdrawal' as const, id },
    accountId: SAMPLE.accountId,
    address: SAMPLE.wallet,
    chain: 'eth-base' as const,
    asset: 'eth-base/brlv' as const,
    amount: '12.5',
    outcome: 'waits' as const,
  });
  bus.on(ListAddressReviews, async () => ({ reviews: [await review(SAMPLE.withdrawalId)] }));
  bus.on(SearchAddressReviews, async () => ({
    items: [await review(SAMPLE.withdrawalId)],
    next: { createdAt: SAMPLE.time, id: SAMPLE.withdrawalId },
  }));
  bus.on(ListAddressMatches, async ({ accountId }) => ({
    matches: [
      {
        reviewId: SAMPLE.withdrawalId,
        subject: { kind: 'withdrawal' as const, id: SAMPLE.withdrawalId },
        accountId,
        address: SAMPLE.wallet,
        chain: 'eth-base' as const,
        reason: await reason(),
        staffId: SAMPLE.parentId,
        decidedAt: SAMPLE.time,
      },
    ],
    total: 1,
  }));
  bus.on(GetAddressReview, ({ reviewId }) => (reviewId === SAMPLE.withdrawalId ? review(reviewId) : null));
  bus.on(DecideAddressReview, ({ reviewId }) => review(reviewId));
  bus.on(GetFxDays, () => ({
    days: [
      {
        day: '2026-03-02',
        asset: 'eth-base/usdc' as const,
        trades: 1,
        tokensSold: '179.096457',
        brlReceived: '956.59',
        tokensBought: '0.000000',
        brlPaid: '0.00',
        spread: '7.66',
        fees: '2.00',
        iof: '33.75',
        tokenPosition: '-179.096457',
        brlPosition: '956.59',
        rate: '5.3412000035',
        profit: '9.66',
      },
    ],
  }));
  bus.on(GetIofPayable, ({ by }) => ({
    periods: [{ period: by === 'day' ? '2026-03-02' : '2026-03', trades: 1, amount: '33.75' }],
  }));
  bus.on(ListAllWithdrawals, () => list(SAMPLE.accountId));
}
