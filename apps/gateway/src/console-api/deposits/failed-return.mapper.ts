import type { FailedReturn, SuspenseSending, SuspenseSettlement } from '@ponte/contracts';
import { pick, toWire } from '@ponte/kernel';
import type { NoteOpening } from '../sealed-note';
import { openNote } from '../sealed-note';
import type { FailedReturnDto, SettlementDto } from './failed-return.dto';
import type { SendingDto } from './sending.dto';

/** The payment as the staff API shows it. `opening` opens the note: null unless the view of it is recorded. */
export const failedReturnDto = async (failed: FailedReturn, opening: NoteOpening | null): Promise<FailedReturnDto> => ({
  ...toWire(failed, 'depositId', 'cause', 'status', 'accountId', 'withdrawalId', 'type', 'asset', 'amount'),
  ...toWire(failed, 'endToEndId', 'reason', 'attempts', 'failedAt'),
  settlement: failed.settlement && (await settlementDto(failed.depositId, failed.settlement, opening)),
  sending: failed.sending && sendingDto(failed.sending),
  'sending-failure': failed.sendingFailure && pick(failed.sendingFailure, 'code', 'message'),
  'settled-at': failed.settledAt,
});

const sendingDto = (sending: SuspenseSending): SendingDto => ({
  'destination-address': sending.destination,
  reference: sending.reference,
  ...proposed(sending),
  'tx-hash': sending.txHash,
});

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

const proposed = (what: SuspenseSending | SuspenseSettlement) =>
  toWire(what, 'proposal', 'proposedBy', 'proposedAt', 'confirmedBy');
