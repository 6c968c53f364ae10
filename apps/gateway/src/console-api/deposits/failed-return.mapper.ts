import type { FailedReturn, SuspenseSettlement } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { FailedReturnDto, SettlementDto } from './failed-return.dto';

type Opening = Pick<PersonalData, 'open'>;

/** The payment as the staff API shows it. */
export const failedReturnDto = async (failed: FailedReturn, personalData: Opening): Promise<FailedReturnDto> => ({
  'deposit-id': failed.depositId,
  cause: failed.cause,
  status: failed.status,
  'account-id': failed.accountId,
  'withdrawal-id': failed.withdrawalId,
  type: failed.type,
  asset: failed.asset,
  amount: failed.amount,
  'end-to-end-id': failed.endToEndId,
  reason: failed.reason,
  attempts: failed.attempts,
  'failed-at': failed.failedAt,
  settlement: failed.settlement && (await settlementDto(failed.settlement, personalData)),
  'settled-at': failed.settledAt,
});

const settlementDto = async (settlement: SuspenseSettlement, personalData: Opening): Promise<SettlementDto> => ({
  proposal: settlement.proposal,
  'bank-reference': settlement.bankReference,
  note: await personalData.open(settlement.note),
  'proposed-by': settlement.proposedBy,
  'proposed-at': settlement.proposedAt,
  'confirmed-by': settlement.confirmedBy,
});
