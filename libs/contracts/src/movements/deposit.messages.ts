import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText } from '../shared';

const { command } = requestsOf('movements');

interface SimulatedTokenDeposit {
  readonly asset: AssetId;
  readonly amount: DecimalText;
  readonly txHash: string;
  /** Lower-case addresses. */
  readonly sourceAddress: string;
  readonly targetAddress: string;
}

/**
 * Sandbox only: sends tokens from outside on the local or simulated chain. Returns once the transaction is mined; the
 * deposit follows. The cents of the amount select a failure (docs/ledger/sandbox.md). Refuses asset-not-supported,
 * amount-scale-exceeded, insufficient-balance and wallet-not-found.
 */
export const SimulateTokenDeposit = command<
  { accountId: string; asset: AssetId; amount: DecimalText; targetAddress: string | null },
  SimulatedTokenDeposit
>('simulate-token-deposit', 'accountId');
