import type { ChainTransactionEvent, ServedPurpose, TransactionPurpose, TransactionSigned } from '@ponte/contracts';
import { TransactionIntended } from '@ponte/contracts';
import { canonicalJson, refuse } from '@ponte/kernel';
import { acceptableMovement } from '../token-movement/token-movement';
import { acceptableCertificatePurpose } from '../certificates/certificate-purpose';
import { acceptableMint } from '../mint/mint.domain';
import { acceptableRedemption } from '../settlement/redemption.domain';
import type { Intent, ChainTransaction, ChainTransactionCommand } from './chain-transaction.state';
import { transactionIdOf, restoringIdOf } from './chain-transaction.state';

/** Once, in one form of amount and address; asked for again with other terms it is refused. */
export function intend(
  { purpose: wanted, intent, restores }: Extract<ChainTransactionCommand, { kind: 'intend' }>,
  state: ChainTransaction,
): ChainTransactionEvent[] {
  const purpose = acceptable(wanted);
  if (state.status === 'absent') {
    const { chain, from, intendedAt } = intent;
    const about = { chain, from, purpose, intendedAt };
    return restores === undefined
      ? [new TransactionIntended({ transactionId: transactionIdOf(purpose), ...about })]
      : [new TransactionIntended({ transactionId: restoringIdOf(restores), ...about, restores })];
  }
  if (canonicalJson(purpose) === canonicalJson(state.intent.purpose)) return [];
  switch (purpose.kind) {
    case 'mint':
      return refuse('mint-already-requested', 'this mint was requested with other terms');
    case 'redemption':
      return refuse('movement-already-requested', 'this redemption was requested with other terms');
    case 'token-movement':
      return refuse('movement-already-requested', 'this movement was requested with other terms');
    case 'certificate-mint':
    case 'nft-movement':
      return refuse('movement-already-requested', 'this movement of a certificate was requested with other terms');
  }
}

/** The terms in the form in which they are kept; refuses what cannot be carried out. */
function acceptable(wanted: TransactionPurpose): TransactionPurpose {
  switch (wanted.kind) {
    case 'mint':
      return acceptableMint(wanted);
    case 'redemption':
      return acceptableRedemption(wanted);
    case 'token-movement':
      return acceptableMovement(wanted);
    case 'certificate-mint':
    case 'nft-movement':
      return acceptableCertificatePurpose(wanted);
  }
}

export function served(purpose: TransactionPurpose): ServedPurpose {
  switch (purpose.kind) {
    case 'mint':
    case 'redemption': {
      const { kind, id, orderId, accountId } = purpose;
      return { kind, id, orderId, accountId };
    }
    case 'token-movement':
    case 'certificate-mint':
    case 'nft-movement':
      return purpose;
  }
}

/** The owner of a movement receives its hash; nothing waits for the hash of a mint, or of a completed movement. */
export const waitedFor = ({ purpose, restores }: Intent): Pick<TransactionSigned['data'], 'purpose'> =>
  restores === undefined && (purpose.kind === 'token-movement' || purpose.kind === 'nft-movement') ? { purpose } : {};
