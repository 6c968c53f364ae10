import type { PixCharge } from '../domain/pix-charge/pix-charge';
import type { ChargeRow } from '../ports/charge-read-model';

/** The row of a charge at a revision of its stream, or undefined. */
export function chargeRow(state: PixCharge, revision: number): ChargeRow | undefined {
  if (state.status === 'none') return undefined;
  const { txid, orderId, accountId, expiration } = state.facts;
  return {
    txid,
    revision,
    orderId,
    accountId,
    expiration,
    open: state.status === 'requested' || state.status === 'open',
  };
}
