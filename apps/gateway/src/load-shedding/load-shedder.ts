import type { Backlogs } from '@ponte/event-sourcing';
import type { Metrics } from '@ponte/observability';

/** When a request that begins new work is shed: `first` before all others, `last` only if that is not enough. */
export type ShedPriority = 'first' | 'last';

const KINDS: readonly ShedPriority[] = ['first', 'last'];

/** The number of consecutive checks, one a second, that must find a backlog before requests are shed. */
const PATIENCE = 5;
/** A reader catches up if its backlog shrinks by at least this much within {@link PATIENCE} checks, in milliseconds. */
const GAIN_MS = 1_000;
/** The pressure added per check while readers do not catch up, and taken away while they do or none is behind. */
const MORE = 0.05;
const LESS_WHILE_GAINING = 0.02;
const LESS = 0.1;
/** The largest share shed of each kind. Some requests go on, because their effect on the readers is measured. */
const MAX_SHARE: Readonly<Record<ShedPriority, number>> = { first: 0.95, last: 0.9 };
/** The largest Retry-After, in seconds. It is otherwise about the time until the caller would be served. */
const MAX_WAIT = 10;
const HUNDRED = 100;

/**
 * Sheds new work while accepted work is late. The decision depends on whether readers that are behind catch up with the
 * log, not on how far behind they are: after an outage they are far behind but catch up fast, and nothing need be shed.
 */
export class LoadShedder {
  /** From 0 to 1, the share of `first` requests that is shed; from 1 to 2, all of these and a share of `last`. */
  private pressure = 0;
  /** The backlogs of the worst reader at the latest checks, the newest last. */
  private recent: number[] = [];
  /** Hundredths of requests to shed, which accumulate until they make up one request. */
  private readonly due: Record<ShedPriority, number> = { first: 0, last: 0 };
  private hadRequests = false;

  /**
   * `backlogs` finds the reader with the largest backlog in all processes. A reader is behind if its backlog exceeds
   * `limitMs`. With 0 nothing is ever shed.
   */
  constructor(
    private readonly backlogs: Pick<Backlogs, 'worst'>,
    private readonly limitMs: number,
    private readonly metrics: Pick<Metrics, 'measure' | 'counter'>,
  ) {
    metrics.measure('ponte_gateway_shed_share', async () =>
      KINDS.map((kind) => ({ labels: { kind }, value: this.share(kind) })),
    );
  }

  /** The share of requests of this kind that is shed. */
  share(kind: ShedPriority): number {
    return Math.min(MAX_SHARE[kind], Math.max(0, kind === 'first' ? this.pressure : this.pressure - 1));
  }

  /** Returns undefined if a request of this kind may proceed, otherwise the seconds after which it may be repeated. */
  sheds(kind: ShedPriority, operation: string): number | undefined {
    this.hadRequests = true;
    const share = this.share(kind);
    if (share === 0) return undefined;
    this.due[kind] += Math.round(share * HUNDRED);
    if (this.due[kind] < HUNDRED) return undefined;
    this.due[kind] -= HUNDRED;
    this.metrics.counter('ponte_gateway_shed_total', { operation }).inc();
    return Math.min(MAX_WAIT, Math.ceil(1 / (1 - share)));
  }

  /** Runs once a second, unless there are neither requests nor pressure. If the check fails, the pressure is kept. */
  async check(): Promise<void> {
    if (this.limitMs === 0 || (!this.hadRequests && this.pressure === 0)) return;
    this.hadRequests = false;
    const worst = await this.backlogs.worst().catch(() => undefined);
    if (worst !== undefined) this.adjust(worst?.behindMs ?? 0);
  }

  private adjust(behindMs: number): void {
    if (behindMs <= this.limitMs) {
      this.recent = [];
      this.change(-LESS);
      return;
    }
    this.recent = [...this.recent, behindMs].slice(-PATIENCE - 1);
    const [before] = this.recent;
    if (this.recent.length <= PATIENCE || before === undefined) return;
    this.change(before - behindMs >= GAIN_MS ? -LESS_WHILE_GAINING : MORE);
  }

  private change(by: number): void {
    // Round, so that adding and taking away the same steps returns to exactly zero.
    this.pressure = Math.round(Math.min(2, Math.max(0, this.pressure + by)) * HUNDRED) / HUNDRED;
  }
}
