import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, Lease } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Chain, Clock, Ids } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import { OneAtATime, whileLeased } from '@ponte/concurrency';
import type { Metrics, Sample, Tracing } from '@ponte/observability';
import type { Rewindable } from '@ponte/nest';
import {
  CLOCK,
  EVENT_STORE,
  IDS,
  LEASE,
  LOGGER,
  METRICS,
  REWINDABLE,
  SYSTEM_CLOCK,
  TIMERS,
  TRACING,
} from '@ponte/nest';
import type { Logger } from 'pino';
import { SERVED_CHAINS, type ServedChain, type ServedChains } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { EarlyDepositChecks } from '../early-deposits/early-deposit-checks.read-model';
import { DepositCursors } from './deposit-cursors.read-model';
import { DepositScanner } from './deposit-scanner';
import { depositScanLease, depositScanOf } from './deposit-scans';
import type { DepositTransfersOf } from './deposit-transfers.port';
import { DEPOSIT_TRANSFERS } from './deposit-transfers.port';
import { IncomingBlockReadModel } from '../incoming-blocks/open-blocks.read-model';
import { WalletAddresses } from './wallet-addresses.read-model';

/** Pause before a chain is followed again after a failure. */
const RETRY_MS = 1_000;
/** Longest time between two rounds, even if nothing is left to do: a round also checks that the nodes agree. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Reads every chain for deposits at each new head, and again while something is left to do, such as after a failure.
 * Each chain is read by one process at a time.
 */
@Injectable()
export class ScanDepositsJob implements OnApplicationBootstrap {
  private readonly scans: readonly Scan[];

  constructor(
    @Inject(SERVED_CHAINS) chains: ServedChains,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    addresses: WalletAddresses,
    private readonly cursors: DepositCursors,
    checks: EarlyDepositChecks,
    { table: blocks }: IncomingBlockReadModel,
    aggregates: Aggregates,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(SYSTEM_CLOCK) systemClock: Clock,
    @Inject(IDS) ids: Ids,
    @Inject(LEASE) lease: Lease,
    @Inject(LOGGER) logger: Logger,
    @Inject(DEPOSIT_TRANSFERS) transfersOf: DepositTransfersOf,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(TRACING) private readonly tracing: Tracing,
    @Inject(REWINDABLE) private readonly rewindable: Rewindable,
  ) {
    const parts = { settings, addresses, cursors, checks, blocks, aggregates, store, clock, ids, logger };
    this.scans = chains.all.map(
      (served) =>
        new Scan(
          served,
          new DepositScanner({ ...parts, served, transfers: transfersOf(served) }),
          lease,
          systemClock,
          logger,
        ),
    );
  }

  onApplicationBootstrap(): void {
    this.metrics.measure('ponte_deposit_scan_lag_blocks', async () =>
      this.scans.map((scan): Sample => ({ labels: { chain: scan.chain }, value: scan.lag })),
    );
    this.metrics.measure('ponte_deposit_scan_age_seconds', async () =>
      this.scans.map((scan): Sample => ({ labels: { chain: scan.chain }, value: scan.age / 1_000 })),
    );
    for (const scan of this.scans) {
      this.rewindable.set(depositScanOf(scan.chain), {
        keepsTime: true,
        position: this.cursors.positionOf(scan.chain),
        holds: () => scan.holds,
        rewind: (setBack) => scan.again(setBack),
      });
      // Following lasts as long as the process, so it has no trace: the trace would never end.
      this.timers.every(`movements reads deposits of ${scan.chain}`, RETRY_MS, (signal) =>
        this.tracing.inSpan(undefined, () => scan.follow(signal)),
      );
      this.timers.every(`movements reads deposits of ${scan.chain} again`, this.settings.pollMs, () =>
        scan.scanIfDue(),
      );
    }
  }

  /** Starts a round, after a transaction was mined that none of our keys sent. */
  nudge(chain: Chain): void {
    for (const scan of this.scans) if (scan.chain === chain) void scan.scanIfFollowing();
  }
}

/** One chain, while its lease is held. */
class Scan {
  private following: AbortSignal | undefined;
  private readonly rounds = new OneAtATime(() => this.round());
  private succeededAt = 0;
  /** The number of the newest head. */
  private newest = 0;

  constructor(
    private readonly served: ServedChain,
    private readonly scanner: DepositScanner,
    private readonly lease: Lease,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  get chain(): Chain {
    return this.served.evm.chain;
  }

  /** Whether this process reads the chain. */
  get holds(): boolean {
    return this.following !== undefined && !this.following.aborted;
  }

  /** Zero where another process reads the chain. */
  get lag(): number {
    return this.following ? this.scanner.lag : 0;
  }

  /** Milliseconds since the chain was last read to its end. */
  get age(): number {
    return this.following ? Math.max(0, this.clock.now() - this.succeededAt) : 0;
  }

  /** Follows the chain until the signal aborts or the lease is lost. */
  async follow(signal: AbortSignal): Promise<void> {
    await whileLeased(this.lease, depositScanLease(this.chain), signal, (end) => this.followLeased(end));
  }

  private async followLeased(end: AbortSignal): Promise<void> {
    try {
      this.scanner.begin();
      this.succeededAt = this.clock.now();
      this.following = end;
      await this.scanIfFollowing();
      for await (const { number } of this.served.evm.heads(end)) {
        this.newest = number;
        await this.scanIfFollowing();
      }
    } finally {
      this.following = undefined;
      await this.rounds.idle();
    }
  }

  scanIfFollowing(): Promise<void> {
    return this.following ? this.rounds.run() : Promise.resolve();
  }

  /** Requests no round if the last one has left nothing to do: each one takes several calls to each node. */
  async scanIfDue(): Promise<void> {
    await this.rounds.idle();
    if (!this.holds) return;
    if (this.age >= LONGEST_PAUSE_MS || (await this.scanner.hasWork(this.newest))) await this.scanIfFollowing();
  }

  /** Calls `setBack`, whose effect each round checks. Returns false where another process reads the chain. */
  async again(setBack: (fence: number) => Promise<void>): Promise<boolean> {
    if (!this.holds) return false;
    await setBack(0);
    void this.scanIfFollowing();
    return true;
  }

  private async round(): Promise<void> {
    if (!this.following || this.following.aborted) return;
    try {
      await this.scanner.round(this.following);
      this.succeededAt = this.clock.now();
    } catch (error) {
      // Failures are only logged: an outage ends, and the next head leads to the same blocks.
      this.logger[error instanceof Unavailable ? 'warn' : 'error'](
        { err: error, chain: this.chain },
        'a chain could not be read for deposits; the next round will read it',
      );
    }
  }
}
