import type { ChainTransactionEvent } from '@ponte/contracts';
import { TransactionGivenUp, TransactionLost, TransactionRefused } from '@ponte/contracts';
import type {
  ChainTransaction,
  ChainTransactionCommand,
  IntendedTransaction,
} from '../transactions/chain-transaction.state';
import { isRestoring } from '../transactions/chain-transaction.state';
import { served } from '../transactions/transaction-intent.domain';

/** Ends a transaction that is not signed, and never will be. Does nothing when it is signed or has ended. */
export function giveUp(
  command: Extract<ChainTransactionCommand, { kind: 'give-up' | 'give-up-keyless' }>,
  state: IntendedTransaction,
): ChainTransactionEvent[] {
  if (state.status !== 'intended') return [];
  const { transactionId, chain, purpose } = state.intent;
  const about = { transactionId, chain };
  if (command.kind === 'give-up') {
    // The customer has paid: a restoring transaction is paid as soon as the treasury can pay it.
    if (isRestoring(state)) return [];
    // Funds that the treasury has set aside are paid, unless compliance forbids it.
    if (state.funded && command.reason === 'liquidity-unavailable') return [];
    return [
      new TransactionGivenUp({ ...about, purpose: served(purpose), reason: command.reason, givenUpAt: command.at }),
    ];
  }
  const { statement, lostTxHash, at: givenUpAt } = command;
  const reason = 'key-unavailable';
  if (!isRestoring(state))
    return [new TransactionGivenUp({ ...about, purpose: served(purpose), reason, statement, givenUpAt })];
  // Nothing may be returned for a completed movement: an operator can have it repeated with another key.
  return lostTxHash === null ? [] : [new TransactionLost({ ...about, purpose, txHash: lostTxHash, reason, statement })];
}

/**
 * Ends a signed transaction whose bytes can have no effect any more. Does nothing when it has ended, or has newer bytes
 * than those that were checked. Nothing may be returned for a completed movement: it is lost, and can be repeated with
 * another key.
 */
export function giveUpSigned(
  { statement, txHash, revoked, at: givenUpAt }: Extract<ChainTransactionCommand, { kind: 'give-up-signed' }>,
  state: IntendedTransaction,
): ChainTransactionEvent[] {
  if ((state.status !== 'signed' && state.status !== 'reorged') || state.signed.txHash !== txHash) return [];
  const { transactionId, chain, purpose } = state.intent;
  const [about, why] = [{ transactionId, chain }, { txHash, reason: 'key-unavailable', statement, revoked } as const];
  return state.status === 'reorged' || isRestoring(state)
    ? [new TransactionLost({ ...about, purpose, ...why })]
    : [new TransactionGivenUp({ ...about, purpose: served(purpose), ...why, givenUpAt })];
}

/** Records once that a movement is refused whose transaction is not intended. */
export function refuseUnintended(
  { transactionId, chain, reason, at }: Extract<ChainTransactionCommand, { kind: 'refuse' }>,
  state: ChainTransaction,
): ChainTransactionEvent[] {
  return state.status === 'absent' && state.refused === undefined
    ? [new TransactionRefused({ transactionId, chain, reason, refusedAt: at })]
    : [];
}
