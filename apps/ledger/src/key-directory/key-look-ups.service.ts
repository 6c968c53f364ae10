import { Inject, Injectable } from '@nestjs/common';
import type { EdgeState, RequestContext, TokenRequest } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock, PixKey } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import { ReportLimit } from '@ponte/concurrency';
import { EDGE_STATE, LOGGER, METRICS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { LedgerSettings } from '../ledger-settings.port';
import { LEDGER_SETTINGS, UNKNOWN_KEY_TOKENS } from '../ledger-settings.port';
import { callRepeatable } from '../payouts/rail';
import type { KeyDirectory } from './key-directory.port';
import type { Payee } from '../person/payee.domain';
import { KEY_DIRECTORY } from './key-directory.port';

const FOUND_KEY_TOKENS = 1;

type Outcome = 'found' | 'unknown' | 'failed' | 'limited';

/** The account whose request needs a look-up; its partner is its parent or, without one, the account itself. */
export interface LookUpAccount {
  readonly accountId: string;
  readonly parentId: string | null;
}

/**
 * Look-ups of Pix keys that requests of clients cause, limited per account and per partner so that the directory cannot
 * be searched. All replicas share the buckets. A look-up reserves what an unknown key costs, and gives back what it did
 * not cost: concurrent requests never search more keys than the limit allows. A crash in between loses the tokens until
 * the bucket has refilled. Look-ups for recorded work, such as a payout, are not limited and not counted here.
 */
@Injectable()
export class KeyLookUps {
  private readonly counted: Readonly<Record<Outcome, ReturnType<Metrics['counter']>>>;
  private readonly reports = new ReportLimit();

  constructor(
    @Inject(KEY_DIRECTORY) private readonly directory: KeyDirectory,
    @Inject(EDGE_STATE) private readonly edgeState: Pick<EdgeState, 'takeToken'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(LEDGER_SETTINGS) private readonly settings: Pick<LedgerSettings, 'pixKeyLookUps'>,
    @Inject(METRICS) metrics: Pick<Metrics, 'counter'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    // The counters exist from the start, so that their first increase can be seen.
    const counter = (outcome: Outcome) => metrics.counter('ponte_pix_key_look_ups_total', { outcome });
    this.counted = {
      ...{ found: counter('found'), unknown: counter('unknown') },
      ...{ failed: counter('failed'), limited: counter('limited') },
    };
  }

  /**
   * Undefined if the key is not registered. Refuses `too-many-pix-key-look-ups` without a look-up, and throws
   * `rail-unavailable` if the directory does not answer, which costs nothing.
   */
  async lookUp(key: PixKey, account: LookUpAccount, context: RequestContext): Promise<Payee | undefined> {
    await this.reserve(account, context);
    let cost = 0;
    try {
      const owner = await callRepeatable(() => this.directory.lookUp(key));
      cost = owner ? FOUND_KEY_TOKENS : UNKNOWN_KEY_TOKENS;
      this.counted[owner ? 'found' : 'unknown'].inc();
      return owner;
    } catch (error) {
      this.counted.failed.inc();
      throw error;
    } finally {
      await this.giveBack(this.bucketsOf(account), UNKNOWN_KEY_TOKENS - cost);
    }
  }

  /** Gives a look-up back because its key was paid. A repetition gives back one more, which does no harm. */
  async wasPaid(account: LookUpAccount): Promise<void> {
    await this.giveBack(this.bucketsOf(account), FOUND_KEY_TOKENS);
  }

  private async reserve(account: LookUpAccount, context: RequestContext): Promise<void> {
    const reserved: TokenRequest[] = [];
    for (const bucket of this.bucketsOf(account)) {
      const { allowed, retryAfterMs } = await this.edgeState.takeToken({ ...bucket, tokens: UNKNOWN_KEY_TOKENS });
      if (allowed) {
        reserved.push(bucket);
        continue;
      }
      await this.giveBack(reserved, UNKNOWN_KEY_TOKENS);
      this.counted.limited.inc();
      this.reports.note(bucket.bucket, (repeats) =>
        this.logger.warn(
          { ...logged(context), ...account, bucket: bucket.bucket, ...repeats },
          'a look-up of a Pix key was refused: too many keys that are unknown or were not paid',
        ),
      );
      refuse('too-many-pix-key-look-ups', 'too many look-ups of Pix keys; see Retry-After', '', {
        'retry-after-seconds': Math.max(1, Math.ceil(retryAfterMs / 1_000)),
      });
    }
  }

  private async giveBack(buckets: readonly TokenRequest[], tokens: number): Promise<void> {
    if (tokens === 0) return;
    await Promise.all(buckets.map((bucket) => this.edgeState.takeToken({ ...bucket, tokens: -tokens })));
  }

  /** The buckets that a look-up takes from, with their levels now. */
  private bucketsOf({ accountId, parentId }: LookUpAccount): readonly TokenRequest[] {
    const { account, partner } = this.settings.pixKeyLookUps;
    const nowMs = this.systemClock.now();
    const limited = [
      { limit: account, bucket: `pix-key-look-ups account ${accountId}` },
      { limit: partner, bucket: `pix-key-look-ups partner ${parentId ?? accountId}` },
    ];
    return limited.flatMap(({ limit, bucket }) =>
      limit ? [{ bucket, capacity: limit.burst, perSecond: limit.perMinute / 60, nowMs }] : [],
    );
  }
}
