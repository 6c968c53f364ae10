import { createHash } from 'node:crypto';
import { Rate } from '@ponte/kernel';
import type { Market } from '../market/market.domain';
import type { Rates } from './rates.port';

interface SeededOptions {
  readonly seed: string;
  /** The USD/BRL rate around which the generated rates move. It is also the reference. */
  readonly base: Rate;
  /** BRL for one wBRLY share on {@link SHARE_EPOCH}. */
  readonly sharePrice: Rate;
}

/** The rate changes once per second. */
const STEP_MS = 1000;
/** Slow, medium and fast movements: the period in seconds and the amplitude in hundredths of a basis point. */
const WAVES = [
  { period: 14_400, reach: 6_000n },
  { period: 600, reach: 1_500n },
  { period: 15, reach: 200n },
] as const;
const REACH_UNIT = 1_000_000n;
const NOISE_LIMIT = 2n ** 31n;

const SHARE_EPOCH = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
/** The growth of a share per day in hundredths of a basis point, about 12 % a year. */
const SHARE_GROWTH_PER_DAY = 328n;

/** Generated rates for development and the sandbox. The same seed and time give the same rates on any machine. */
export class SeededRates implements Rates {
  private known: Market & { step?: number } = {};

  constructor(private readonly options: SeededOptions) {}

  market(now: number): Market {
    const step = Math.floor(now / STEP_MS);
    if (this.known.step !== step) this.known = { step, ...this.compute(step) };
    return this.known;
  }

  private compute(step: number): Market {
    const { base } = this.options;
    const moved = WAVES.reduce((sum, { period, reach }) => sum + this.wave(period, step) * reach, 0n);
    const usdBrl = Rate.of('USD', 'BRL', base.scaled + (base.scaled * moved) / (REACH_UNIT * NOISE_LIMIT));
    return {
      usdBrl: { rate: usdBrl, observedAt: step * STEP_MS, source: 'seeded' },
      reference: { rate: base, observedAt: step * STEP_MS, source: 'seeded' },
      sharePrice: this.share(step * STEP_MS),
    };
  }

  /** Value noise within ±2^31: random at every multiple of the period and linear in between. */
  private wave(period: number, step: number): bigint {
    const index = Math.floor(step / period);
    const [from, to] = [this.noise(period, index), this.noise(period, index + 1)];
    return from + ((to - from) * BigInt(step - index * period)) / BigInt(period);
  }

  private noise(period: number, index: number): bigint {
    return BigInt(createHash('sha256').update(`${this.options.seed}/${period}/${index}`).digest().readInt32BE(0));
  }

  private share(now: number): Market['sharePrice'] {
    const days = Math.max(0, Math.floor((now - SHARE_EPOCH) / DAY_MS));
    const { scaled } = this.options.sharePrice;
    const rate = Rate.of('wBRLY', 'BRL', scaled + (scaled * SHARE_GROWTH_PER_DAY * BigInt(days)) / REACH_UNIT);
    return { rate, observedAt: now, source: 'seeded' };
  }
}
