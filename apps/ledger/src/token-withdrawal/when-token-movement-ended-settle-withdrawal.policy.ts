import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { GiveUpReason, TokenWithdrawalOutcome } from '@ponte/contracts';
import {
  TransactionConfirmed,
  TransactionFeeRaised,
  TransactionGivenUp,
  TransactionReverted,
  TransactionSigned,
  TransactionSuperseded,
} from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { SettleTokenWithdrawalCommand } from './settle-token-withdrawal.command';
import type { FailureCode } from '../withdrawal/withdrawal.failures';
import { failureOf } from '../withdrawal/withdrawal.failures';

type Moved = Recorded<
  | TransactionSigned
  | TransactionFeeRaised
  | TransactionConfirmed
  | TransactionReverted
  | TransactionSuperseded
  | TransactionGivenUp
>;

/** The contract's revert reason when the wallets hold less than the amount. */
const TOO_LITTLE = 'WalletsHoldTooLittle';

/**
 * Reports the progress of a token withdrawal's transaction: it has a hash, was replaced with higher fees, has ended for
 * good, or will never be signed.
 */
@Policy(
  TransactionSigned,
  TransactionFeeRaised,
  TransactionConfirmed,
  TransactionReverted,
  TransactionSuperseded,
  TransactionGivenUp,
)
export class WhenTokenMovementEndedSettleWithdrawal implements IEventHandler<Moved> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Moved): Promise<void> {
    const { purpose } = event.data;
    if (purpose?.kind !== 'token-movement' || purpose.owner.kind !== 'withdrawal') return;
    const withdrawalId = purpose.owner.id;
    const outcome = outcomeOf(event, purpose.receiver?.accountId ?? null);
    await this.commands.execute(
      new SettleTokenWithdrawalCommand(
        { withdrawalId, outcome },
        causedBy(event, 'settle-withdrawal', 'when-token-movement-ended'),
      ),
    );
  }
}

/** The treasury does not pay withdrawals, so they do not wait for its liquidity. Nor does a Pix pay them. */
const GIVEN_UP: Readonly<Record<GiveUpReason, FailureCode>> = {
  compliance: 'compliance',
  'amount-above-maximum': 'amount-above-maximum',
  'account-not-active': 'account-not-active',
  'liquidity-unavailable': 'compliance',
  'payment-taken-back': 'withdrawal-superseded',
  refused: 'withdrawal-superseded',
  'key-unavailable': 'withdrawal-superseded',
};

function outcomeOf(event: Moved, receiverAccountId: string | null): TokenWithdrawalOutcome {
  switch (event.type) {
    case 'TransactionSigned':
    case 'TransactionFeeRaised':
      return { state: 'broadcast', txHash: event.data.txHash };
    case 'TransactionConfirmed':
      return { state: 'completed', txHash: event.data.txHash, receiverAccountId };
    case 'TransactionReverted':
      return {
        state: 'failed',
        failure: failureOf(event.data.reason === TOO_LITTLE ? 'insufficient-balance' : 'withdrawal-reverted'),
      };
    case 'TransactionSuperseded':
      return { state: 'failed', failure: failureOf('withdrawal-superseded') };
    case 'TransactionGivenUp':
      return { state: 'failed', failure: failureOf(GIVEN_UP[event.data.reason]) };
  }
}
