import type { DoubleReturn, FailedReturn, RefusedPayoutRecord, SuspenseSettlement } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import {
  ConfirmSuspenseSettlement,
  GetFailedReturn,
  ListDoubleReturns,
  ListFailedReturns,
  ListRefusedPayouts,
  ProposeSuspenseSending,
  ProposeSuspenseSettlement,
  RecordNoteView,
  RejectSuspenseSettlement,
} from '@ponte/contracts';
import { SAMPLE } from '../../api/samples';
import type { StubBus } from '../stub-bus';

const SETTLEMENT: Omit<SuspenseSettlement, 'note'> = {
  proposal: 1,
  bankReference: SAMPLE.endToEndId,
  proposedBy: SAMPLE.parentId,
  proposedAt: SAMPLE.time,
  confirmedBy: null,
};

const failedReturn = (more: Partial<FailedReturn> = {}): FailedReturn => ({
  depositId: SAMPLE.depositId,
  cause: 'return-refused',
  status: 'open',
  accountId: null,
  withdrawalId: null,
  type: 'pix',
  asset: 'fiat/brl',
  amount: '100.00',
  endToEndId: SAMPLE.endToEndId,
  reason: 'unknown-target',
  attempts: 5,
  failedAt: SAMPLE.time,
  settlement: null,
  sending: null,
  sendingFailure: null,
  settledAt: null,
  ...more,
});

const DOUBLE_RETURN: DoubleReturn = {
  depositId: SAMPLE.depositId,
  accountId: null,
  type: 'pix',
  asset: 'fiat/brl',
  amount: '100.00',
  endToEndId: SAMPLE.endToEndId,
  reason: 'unknown-target',
  returnId: '5b0b1a53c0f44d8f9a57d3b1f2c6e8a9',
  bankReturnId: 'D1234567820260131120000000000001',
  bankReference: null,
  postedAt: SAMPLE.time,
};

const REFUSED_PAYOUT: RefusedPayoutRecord = {
  withdrawalId: SAMPLE.withdrawalId,
  accountId: SAMPLE.accountId,
  orderId: null,
  status: 'waiting',
  method: 'pix',
  asset: 'fiat/brl',
  amount: '100.00',
  reason: 'bank-refused',
  rolledBackAt: SAMPLE.time,
  checkAgainAt: SAMPLE.later,
  endToEndId: null,
  postedAt: null,
};

/** A failed return that is open, and the same one proposed and settled; a double return; and a refused payout. */
export function answerSuspense(bus: StubBus, personalData: PersonalData): void {
  const note = () => personalData.seal('a-payer', 'Ticket 4711');
  bus.on(ListFailedReturns, ({ filters: { status, cause } }) => ({
    items: [failedReturn({ status: status ?? 'open', cause: cause ?? 'return-refused' })],
    next: null,
  }));
  bus.on(GetFailedReturn, async ({ depositId }) => ({
    failedReturn: failedReturn({ depositId, status: 'proposed', settlement: { ...SETTLEMENT, note: await note() } }),
    payerId: SAMPLE.parentId,
  }));
  bus.on(RecordNoteView, () => ({}));
  bus.on(ListRefusedPayouts, () => ({ items: [REFUSED_PAYOUT], next: null }));
  bus.on(ListDoubleReturns, () => ({ items: [DOUBLE_RETURN], next: null }));
  bus.on(ProposeSuspenseSettlement, ({ depositId, bankReference, note: proposed, staffId: proposedBy }) =>
    failedReturn({
      ...{ depositId, status: 'proposed' },
      settlement: { ...SETTLEMENT, bankReference, note: proposed, proposedBy },
    }),
  );
  bus.on(ProposeSuspenseSending, ({ depositId, destination, reference, staffId: proposedBy }) =>
    failedReturn({
      ...{
        depositId,
        cause: 'set-aside',
        status: 'proposed',
        type: 'token',
        asset: 'eth-base/usdc',
        amount: '25.000000',
      },
      ...{ endToEndId: null, reason: 'account-closed', attempts: 0 },
      sending: {
        proposal: 1,
        destination,
        reference,
        proposedBy,
        proposedAt: SAMPLE.time,
        confirmedBy: null,
        txHash: null,
      },
    }),
  );
  bus.on(ConfirmSuspenseSettlement, async ({ depositId, staffId: confirmedBy }) =>
    failedReturn({
      ...{ depositId, status: 'settled', settledAt: SAMPLE.time },
      settlement: { ...SETTLEMENT, note: await note(), confirmedBy },
    }),
  );
  bus.on(RejectSuspenseSettlement, ({ depositId }) => failedReturn({ depositId }));
}
