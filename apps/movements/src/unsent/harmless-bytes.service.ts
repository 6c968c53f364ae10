import { Inject, Injectable } from '@nestjs/common';
import type { RevokedKey } from '@ponte/contracts';
import type { Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { referenceIn } from '../sending/contract-calls';
import type { Sent } from '../transactions/chain-transaction.state';

/** Whether the signed bytes of a transaction can still have an effect. */
export type BytesOutlook =
  /** They cannot, if they are ever mined: their contract reverts them. */
  | { readonly kind: 'harmless'; readonly revoked: RevokedKey }
  | {
      readonly kind:
        /** The contract accepts the key, in a final block or now. */
        | 'accepted'
        /** A final block has used the nonce, so the watcher of the chain ends the transaction. */
        | 'nonce-used'
        /** The effect exists, or exists unless a reorg removes it. */
        | 'on-chain'
        /** They call a contract other than the deployment's, which cannot be queried. */
        | 'other-contract';
    };

/**
 * Finds out whether bytes that nothing can replace or cancel without their key may be given up. Money is returned then,
 * so one final block must show everything, and two nodes must agree on it, as at
 * {@link ../chain/chain.port!EvmChain.atFinality}.
 */
@Injectable()
export class HarmlessBytes {
  constructor(@Inject(SERVED_CHAINS) private readonly chains: ServedChains) {}

  /**
   * Changes nothing. Rejects with `Unavailable` when too few nodes answer or they contradict each other.
   *
   * The bytes are harmless when all of them call the contract that takes their reference, a final block has neither
   * taken the reference nor used the nonce, and the contract does not accept the sender there, nor at the newest block.
   * Before that block they had no effect, and after it they are reverted for as long as the role is not granted again.
   *
   * @param isMisused whether a final block shows that the reference was used for another movement. It then does not
   *   matter whether the nonce is used.
   */
  async outlook({ intent, signed, attempts }: Sent, isMisused = false): Promise<BytesOutlook> {
    const { evm } = this.chains.of(intent.chain);
    const sender = intent.from as Hex;
    const { by, reference } = referenceIn(intent);
    const hashes = attempts.map(({ txHash }) => txHash as Hex);
    const evidence = await evm.atFinality({ sender, hashes, reference, by, asksRole: true });
    const { block, minedCount, receipts, referenceTaken, role } = evidence;
    if (referenceTaken && !isMisused) return { kind: 'on-chain' };
    if ((receipts.length > 0 || minedCount > signed.nonce) && !isMisused) return { kind: 'nonce-used' };
    if (attempts.some(({ raw }) => evm.calledBy(raw as Hex) !== role?.contract)) return { kind: 'other-contract' };
    if (role?.isOperator !== false || (await evm.isOperator(by, sender))) return { kind: 'accepted' };
    if (!isMisused && (await evm.takenAnywhere(by, reference))) return { kind: 'on-chain' };
    return {
      kind: 'harmless',
      revoked: { contract: role.contract, blockNumber: String(block.number), blockHash: block.hash },
    };
  }
}
