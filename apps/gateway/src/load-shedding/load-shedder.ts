import type { Backlogs } from '@ponte/event-sourcing';
import type { Metrics } from '@ponte/observability';

/** When a request that begins new work is put off: before all others, or only when that is not enough. */
export type ShedPriority = 'first' | 'last';

const KINDS: readonly ShedPriority[] = ['first', 'last'];

/** So many looks in a row, one a second, have to find a backlog before it is one. */
const PATIENCE = 5;
/** Gaining is to be less behind, by so much within {@link PATIENCE} looks, milliseconds. */
const GAIN_MS = 1_000;
/**
 * What one look adds while readers are behind and do not gain, and takes away while they gain, and when none is behind.
 */
const MORE = 0.05;
const LESS_WHILE_GAINING = 0.02;
const LESS = 0.1;
/** At the most that is put off of each kind; some go on, since how the readers fare with them is what is looked at. */
const MOST: Readonly<Record<ShedPriority, number>> = { first: 0.95, last: 0.9 };
/** Retry-After in seconds: about the time until the caller would be served. */
const LONGEST_WAIT = 10;
const HUNDRED = 100;

/**
 * Puts off new work while accepted work is not carried out in time. What decides is whether readers that are behind
 * gain on the log, and not how far they are behind: after an outage they are far behind, gain fast, and no one need be
 * turned away.
 */
export class LoadShedder {
  /** From 0 to 1 the share of what is put off first; from 1 to 2 all of that, and the share of the rest. */
  private pressure = 0;
  /** How far the worst reader was behind at the last looks, the newest last. */
  private recent: number[] = [];
  /** Hundredths of requests that are put off, until they make one. */
  private readonly due: Record<ShedPriority, number> = { first: 0, last: 0 };
  private wasAsked = false;

  /**
   * `backlogs` know the reader of all processes that is farthest behind. Behind is what is so by more than `limitMs`;
   * with 0 nothing is ever put off.
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

  /** The share of such requests that is put off. */
  share(kind: ShedPriority): number {
    return Math.min(MOST[kind], Math.max(0, kind === 'first' ? this.pressure : this.pressure - 1));
  }

  /** Undefined when a request of this kind may go on; else the seconds after which it may come again. */
  sheds(kind: ShedPriority, operation: string): number | undefined {
    this.wasAsked = true;
    const share = this.share(kind);
    if (share === 0) return undefined;
    this.due[kind] += Math.round(share * HUNDRED);
    if (this.due[kind] < HUNDRED) return undefined;
    this.due[kind] -= HUNDRED;
    this.metrics.counter('ponte_gateway_shed_total', { operation }).inc();
    return Math.min(LONGEST_WAIT, Math.ceil(1 / (1 - share)));
  }

  /** Once a second. Does not look while no one asks for anything. Where it cannot look, things stay as they are. */
  async look(): Promise<void> {
    if (this.limitMs === 0 || (!this.wasAsked && this.pressure === 0)) return;
    this.wasAsked = false;
    const worst = await this.backlogs.worst().catch(() => undefined);
    if (worst !== undefined) this.judge(worst?.behindMs ?? 0);
  }

  private judge(behindMs: number): void {
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
    // What is added and taken away again comes to nothing.
    this.pressure = Math.round(Math.min(2, Math.max(0, this.pressure + by)) * HUNDRED) / HUNDRED;
  }
}
