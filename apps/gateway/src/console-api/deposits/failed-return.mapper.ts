import type { FailedReturn, SuspenseSettlement } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SealBroken } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import type { Call } from '../../edge/request-context';
import type { FailedReturnDto, SettlementDto } from './failed-return.dto';

/** What opens the encrypted notes, and where a damaged one is reported, with the request that found it. */
interface Opening {
  readonly personalData: Pick<PersonalData, 'open'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly call: Pick<Call, 'logged'>;
}

/** Stands for a note that is damaged. */
const UNAVAILABLE = '[unavailable]';

/** The payment as the staff API shows it. */
export const failedReturnDto = async (failed: FailedReturn, opening: Opening): Promise<FailedReturnDto> => ({
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
  settlement: failed.settlement && (await settlementDto(failed.depositId, failed.settlement, opening)),
  'settled-at': failed.settledAt,
});

const settlementDto = async (
  depositId: string,
  settlement: SuspenseSettlement,
  opening: Opening,
): Promise<SettlementDto> => ({
  proposal: settlement.proposal,
  'bank-reference': settlement.bankReference,
  note: await noteOf(depositId, settlement, opening),
  'proposed-by': settlement.proposedBy,
  'proposed-at': settlement.proposedAt,
  'confirmed-by': settlement.confirmedBy,
});

/** A damaged note must not hide its payment, nor the other payments of the list. */
async function noteOf(
  depositId: string,
  { note, proposal }: SuspenseSettlement,
  { personalData, logger, call }: Opening,
): Promise<string> {
  try {
    return await personalData.open(note);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    logger.error({ ...call.logged, depositId, proposal }, 'the note of a settlement cannot be decrypted');
    return UNAVAILABLE;
  }
}
