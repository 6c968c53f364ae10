import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Timestamp, TransactionPurpose } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { AssetId, Chain, Clock } from '@ponte/kernel';
import { assetOf, isoTime } from '@ponte/kernel';
import type { Metrics, Sample, Tracing } from '@ponte/observability';
import { LOGGER, METRICS, SYSTEM_CLOCK, TRACING } from '@ponte/nest';
import type { Logger } from 'pino';
import { WaitingTargets } from '../address-screening/waiting-targets.service';
import type { ServedChain, ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { SignedAmounts } from '../signer-policy/signed-amounts.service';
import { TreasuryGate } from '../settlement/treasury-gate';
import { TreasuryReservations } from '../settlement/treasury-reservations.service';
import { keyIdOf, operatorKeyFor } from '../signer-key/operator-keys';
import { restoringIdOf, transactionIdOf } from '../transactions/chain-transaction.state';
import type { Trace } from '../transactions/chain-transactions.service';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { FrozenAccounts } from './frozen-accounts.service';
import { GiveUpUnsent } from '../unsent/give-up-unsent.service';
import { KeylessEnds } from '../unsent/keyless-end.service';
import { Nonces } from './nonces.service';
import type { FeeRaise } from './fee-raiser';
import { NonceOrderedSender } from './nonce-ordered-sender';
import { Sent } from './sent.service';
import { FinalityChecker } from '../finality/finality-checker.service';

/** Records movements and takes them from intent to broadcast. Each operator key has its own sender on each chain. */
@Injectable()
export class Sender implements BeforeApplicationShutdown {
  private readonly senders: ReadonlyMap<string, NonceOrderedSender>;

  constructor(
    @Inject(SERVED_CHAINS) chains: ServedChains,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    private readonly transactions: ChainTransactions,
    reservations: TreasuryReservations,
    nonces: Nonces,
    finality: FinalityChecker,
    sent: Sent,
    frozen: FrozenAccounts,
    unsent: GiveUpUnsent,
    keyless: KeylessEnds,
    targets: WaitingTargets,
    signedAmounts: SignedAmounts,
    @Inject(LOGGER) logger: Logger,
    @Inject(TRACING) tracing: Tracing,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
    @Inject(METRICS) metrics: Metrics,
  ) {
    const { heldKeyIds, feeLimits, liquidityMs } = settings;
    const treasuries = chains.all.map((served) => ({
      served,
      treasury: new TreasuryGate({ evm: served.evm, transactions, reservations, liquidityMs, clock, logger }),
    }));
    this.senders = new Map(
      treasuries.flatMap(({ served, treasury }) =>
        heldKeyIds.map((keyId) => [
          nameOf(served.evm.chain, keyId),
          new NonceOrderedSender({
            served,
            signer,
            keyId,
            feeLimits: feeLimits[served.evm.chain],
            transactions,
            nonces,
            finality,
            sent,
            treasury,
            frozen,
            unsent,
            keyless,
            targets,
            signedAmounts,
            logger,
            tracing,
          }),
        ]),
      ),
    );
    metrics.measure('ponte_treasury_waiting_payments', async () =>
      treasuries.flatMap(({ served, treasury }) => waitingIn(served, treasury)),
    );
  }

  /**
   * Resolves with the id of the transaction as soon as the intent is durable; from then on it depends on the chain
   * alone. If the process stops before the broadcast, the next round sends it. There is one intent per purpose: other
   * terms are refused with `movement-already-requested` (`mint-already-requested` for a mint).
   *
   * @param restores the id of a lost transaction whose effect this one restores
   */
  async request(
    purpose: TransactionPurpose,
    chain: Chain,
    context: RequestContext,
    { restores, screenedAt }: { readonly restores?: string; readonly screenedAt?: Timestamp } = {},
  ): Promise<string> {
    const transactionId = restores === undefined ? transactionIdOf(purpose) : restoringIdOf(restores);
    const keyId = operatorKeyFor(transactionId, this.settings.operatorKeyIds);
    const intent = {
      ...{ chain, from: await this.signer.addressOf(keyId), intendedAt: isoTime(this.clock.now()) },
      ...(screenedAt === undefined ? {} : { screenedAt }),
    };
    const command = { kind: 'intend', purpose, intent, ...(restores === undefined ? {} : { restores }) } as const;
    const state = await this.transactions.intend(transactionId, command, context);
    if (state.status === 'intended' || state.status === 'signed') {
      // A repeated request finds the intent, which may name a former key.
      const named = await keyIdOf({ signer: this.signer, settings: this.settings }, state.intent.from);
      if (named !== undefined) this.senders.get(nameOf(chain, named))?.send(transactionId, context, true);
    }
    return transactionId;
  }

  /**
   * Queues the transaction and returns at once. One that is being sent is not queued twice. `keyId` is the operator key
   * whose address the intent names.
   */
  send(chain: Chain, keyId: string, transactionId: string, trace: Trace): void {
    this.senders.get(nameOf(chain, keyId))?.send(transactionId, trace);
  }

  /**
   * As {@link NonceOrderedSender.raiseFee}, with the key that the transaction belongs to. Rejects with `Unavailable`
   * when the node or the keystore does not answer.
   */
  async raiseFee(
    chain: Chain,
    keyIds: readonly string[],
    transactionId: string,
    trace: Trace,
    always: boolean,
  ): Promise<FeeRaise> {
    for (const keyId of keyIds) {
      const raise = await this.senders.get(nameOf(chain, keyId))?.raiseFee(transactionId, trace, always);
      if (raise && raise.outcome !== 'not-waiting') return raise;
    }
    return { outcome: 'not-waiting' };
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.senders.values()].map((sender) => sender.stop()));
  }
}

/** Reports zero for a token without waiting payments, so that alerts always have a value. */
function waitingIn({ evm: { chain }, tokens }: ServedChain, treasury: TreasuryGate): Sample[] {
  const waiting = treasury.waitingPayments();
  const assets = Object.keys(tokens).filter((asset): asset is AssetId => FOREIGN.has(assetOf(asset as AssetId).symbol));
  return assets.map((asset) => ({
    labels: { chain, asset },
    value: waiting.find((one) => one.asset === asset)?.count ?? 0,
  }));
}

/** The tokens that other companies issue and the treasury trades. */
const FOREIGN: ReadonlySet<string> = new Set(['USDC', 'USDT']);

const nameOf = (chain: Chain, keyId: string): string => `${chain}/${keyId}`;
