import { Inject, Injectable } from '@nestjs/common';
import type { Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { TIMERS, TRACING } from '@ponte/nest';
import type { Tracing } from '@ponte/observability';
import type { ChainTransactionEvent } from '@ponte/contracts';
import type { Timers } from '@ponte/concurrency';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { chainTransaction } from './chain-transaction.decider';
import { ChainWatcher } from './chain-watcher';
import { Sent } from '../sending/sent.service';
import { WatcherServices } from './watcher-services.service';

/** Pause before a chain is followed again after a failure. */
const RETRY_MS = 1_000;

/** One watcher for each operator key and each former one, on each chain. */
@Injectable()
export class Watchers {
  private readonly watchers: readonly {
    readonly chain: Chain;
    readonly name: string;
    readonly watcher: ChainWatcher;
  }[];

  constructor(
    @Inject(SERVED_CHAINS) chains: ServedChains,
    private readonly services: WatcherServices,
    sent: Sent,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {
    this.watchers = chains.all.flatMap((served) =>
      services.settings.heldKeyIds.map((keyId) => {
        const { chain } = served.evm;
        return { chain, name: `${chain}/${keyId}`, watcher: new ChainWatcher({ ...services, served, keyId }) };
      }),
    );
    sent.listen((one) => this.on(one.chain, (watcher) => watcher.follows(one)));
  }

  /** Starts the watchers. The timers stop them with the process. */
  start(): void {
    const { tracing, services } = this;
    const { pollMs } = services.settings;
    for (const { name, watcher } of this.watchers) {
      // Following lasts as long as the process, so it has no trace: the trace would never end.
      this.timers.every(`movements follows ${name}`, RETRY_MS, (signal) =>
        tracing.inSpan(undefined, () => watcher.follow(signal)),
      );
      this.timers.every(`movements goes round ${name}`, pollMs, () => watcher.round(services.clock.now() - pollMs));
    }
  }

  /** Notifies the watchers of the chains on which a transaction was signed or has ended. */
  rowsWritten(events: readonly Recorded[]): void {
    const chains = new Set<Chain>();
    for (const event of events as readonly Recorded<ChainTransactionEvent>[])
      if (isMove(event)) chains.add(event.data.chain);
    for (const chain of chains) this.on(chain, (watcher) => watcher.nudge());
  }

  private on(chain: Chain, act: (watcher: ChainWatcher) => void): void {
    for (const one of this.watchers) if (one.chain === chain) act(one.watcher);
  }
}

const isMove = ({ stream, type }: Recorded<ChainTransactionEvent>): boolean =>
  categoryOf(stream) === chainTransaction.category && type !== 'TransactionIntended' && type !== 'TransactionFunded';
