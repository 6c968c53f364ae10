import type { ChainTransactionEvent } from '@ponte/contracts';
import {
  ReorgedAfterCompletion,
  TransactionFeeRaised,
  TransactionGivenUp,
  TransactionIntended,
  TransactionLost,
  TransactionSigned,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { chainTransaction } from '../transactions/chain-transaction.decider';
import { restoringIdOf } from '../transactions/chain-transaction.state';
import {
  AT,
  accountId,
  bytes,
  chain,
  confirmed,
  intended,
  mined,
  mintId,
  orderId,
  reverted,
  signed,
  superseded,
  terms,
  transactionId,
} from '../transactions/chain-transaction.testing';

const given = (...past: ChainTransactionEvent[]) => scenario(chainTransaction).given(...past);
const statement = { actor: 'ana', reason: 'burned' } as const;
const revoked = { contract: '0xc', blockNumber: '7', blockHash: '0x7' } as const;
const why = { txHash: '0xa', reason: 'key-unavailable', statement, revoked } as const;
const givingUp = (txHash = '0xa') => ({ kind: 'give-up-signed', statement, txHash, revoked, at: AT }) as const;
const purpose = { kind: 'mint', id: mintId, orderId, accountId } as const;
const givenUp = new TransactionGivenUp({ transactionId, chain, purpose, ...why, givenUpAt: AT });
const higher = { ...bytes, raw: '0x02bb', txHash: '0xb', maxFeePerGas: '40' };
const raised = new TransactionFeeRaised({ transactionId, chain, from: '0xf', ...higher, replaces: '0xa' });

describe('a signed transaction whose bytes can have no effect any more', () => {
  it('is given up once, and its bytes are neither replaced nor end it again', () => {
    given(intended, signed).when(givingUp()).then(givenUp);
    given(intended, signed, givenUp).when(givingUp()).then();
    given(intended, signed, givenUp).when({ kind: 'raise-fee', signed: higher, replaces: '0xa' }).then();
    // The watcher of another process may have seen them in a block a moment before.
    given(intended, signed, givenUp).when({ kind: 'revert', reason: 'AccessControlUnauthorizedAccount' }).then();
    given(intended, signed, givenUp).when({ kind: 'supersede' }).then();
  });

  it('is an error if it is confirmed anyway, because its funds were returned', () => {
    const confirming = { kind: 'confirm', mined, final: true, at: AT } as const;
    expect(() => given(intended, signed, givenUp).when(confirming).then()).toThrow('given-up');
  });

  it('is not given up when it has newer bytes than those that were checked, is unsigned, or has ended', () => {
    given(intended, signed, raised).when(givingUp()).then();
    given(intended, signed, raised)
      .when(givingUp('0xb'))
      .then(new TransactionGivenUp({ ...givenUp.data, txHash: '0xb' }));
    for (const past of [[], [signed, confirmed], [signed, reverted], [signed, superseded]])
      given(intended, ...past)
        .when(givingUp())
        .then();
  });

  it('is lost after its completion, so that nothing is returned and another key can repeat it', () => {
    const { txHash, blockNumber, blockHash } = mined;
    const place = { txHash, blockNumber, blockHash };
    const about = { transactionId, chain, purpose: terms } as const;
    const reorged = new ReorgedAfterCompletion({ ...about, from: '0xf', nonce: 3, ...place, detectedAt: AT });
    given(intended, signed, confirmed, reorged)
      .when(givingUp())
      .then(new TransactionLost({ ...about, ...why }));
  });

  it('is lost when it restores a lost one', () => {
    const about = { transactionId: restoringIdOf(transactionId), chain, purpose: terms } as const;
    const restoring = new TransactionIntended({ ...about, from: '0xf', intendedAt: AT, restores: transactionId });
    const signedAgain = new TransactionSigned({ transactionId: about.transactionId, chain, from: '0xf', ...bytes });
    const lost = new TransactionLost({ ...about, ...why });
    given(restoring, signedAgain).when(givingUp()).then(lost);
    given(restoring, signedAgain, lost).when(givingUp()).then();
  });
});
