import type { FailedReturn, Failure, SuspenseSending, SuspenseSettlement } from '@ponte/contracts';
import { pick } from '@ponte/kernel';
import type { NoteOpening } from '../sealed-note';
import { openNote } from '../sealed-note';
import type { FailedReturnDto, SettlementDto } from './failed-return.dto';
import type { SendingDto, SendingFailureDto } from './sending.dto';

/** The payment as the staff API shows it. `opening` opens the note: null unless the view of it is recorded. */
export const failedReturnDto = async (failed: FailedReturn, opening: NoteOpening | null): Promise<FailedReturnDto> => ({
  'deposit-id': failed.depositId,
  cause: failed.cause,
  status: failed.status,
  'account-id': failed.accountId,
  'withdrawal-id': failed.withdrawalId,
  ...pick(failed, 'type', 'asset', 'amount'),
  'end-to-end-id': failed.endToEndId,
  reason: failed.reason,
  attempts: failed.attempts,
  'failed-at': failed.failedAt,
  settlement: failed.settlement && (await settlementDto(failed.depositId, failed.settlement, opening)),
  sending: failed.sending && sendingDto(failed.sending),
  'sending-failure': failed.sendingFailure && failureDto(failed.sendingFailure),
  'settled-at': failed.settledAt,
});

const sendingDto = (sending: SuspenseSending): SendingDto => ({
  'destination-address': sending.destination,
  reference: sending.reference,
  ...proposed(sending),
  'tx-hash': sending.txHash,
});

const failureDto = ({ code, message }: Failure): SendingFailureDto => ({ code, message });

const settlementDto = async (
  depositId: string,
  settlement: SuspenseSettlement,
  opening: NoteOpening | null,
): Promise<SettlementDto> => ({
  'bank-reference': settlement.bankReference,
  ...(opening && {
    note: await openNote(
      settlement.note,
      'the note of a settlement',
      { depositId, proposal: settlement.proposal },
      opening,
    ),
  }),
  ...proposed(settlement),
});

const proposed = ({ proposal, proposedBy, proposedAt, confirmedBy }: SuspenseSending | SuspenseSettlement) => ({
  proposal,
  'proposed-by': proposedBy,
  'proposed-at': proposedAt,
  'confirmed-by': confirmedBy,
});
