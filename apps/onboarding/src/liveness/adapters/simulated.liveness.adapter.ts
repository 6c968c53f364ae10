import type { Clock } from '@ponte/kernel';
import { derivedId, isoTime } from '@ponte/kernel';
import type { Liveness, LivenessNotice, LivenessNotices, LivenessOutcome, LivenessResult } from '../liveness.port';
import { Misbehaviour, SimulatedNotices } from '../../vendor/adapters/misbehaviour';

interface Session {
  readonly outcome: LivenessOutcome;
  readonly event: number;
  readonly decidedAt: number;
}

/**
 * The largest number of sessions with an outcome set by a test. Beyond it the oldest is forgotten, and its id decides
 * again.
 */
const MAX_SESSIONS = 10_000;

/**
 * A provider that decides by the session's id: `fail…` failed, `pend…` stays pending until {@link decide}, any other
 * passed. Deterministic, so that it answers the same after a crash.
 */
export class SimulatedLiveness implements Liveness, LivenessNotices {
  readonly misbehaviour = new Misbehaviour();
  private readonly notices = new SimulatedNotices<LivenessNotice>(this.misbehaviour);
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly clock: Clock) {}

  async resultOf({ provider, id }: { readonly provider: string; readonly id: string }): Promise<LivenessResult> {
    this.misbehaviour.call();
    const key = JSON.stringify([provider, id]);
    const session = this.sessions.get(key) ?? { outcome: outcomeById(id), event: 0, decidedAt: this.clock.now() };
    return word(provider, id, session);
  }

  /** Sets the outcome of a session and sends a notice. */
  async decide(provider: string, sessionId: string, outcome: LivenessOutcome): Promise<void> {
    const key = JSON.stringify([provider, sessionId]);
    const session = { outcome, event: (this.sessions.get(key)?.event ?? 0) + 1, decidedAt: this.clock.now() };
    this.sessions.delete(key);
    this.sessions.set(key, session);
    const oldest = this.sessions.keys().next();
    if (this.sessions.size > MAX_SESSIONS && !oldest.done) this.sessions.delete(oldest.value);
    await this.notices.send({ provider, sessionId, ...word(provider, sessionId, session) });
  }

  listen(listener: (notice: LivenessNotice) => Promise<void>): void {
    this.notices.listen(listener);
  }

  /** Sends the notices that were held back, the last one first. */
  release(): Promise<void> {
    return this.notices.release();
  }
}

function word(provider: string, sessionId: string, { outcome, event, decidedAt }: Session): LivenessResult {
  return {
    outcome,
    providerEventId: derivedId('simulated-liveness', provider, sessionId, String(event), outcome),
    decidedAt: isoTime(decidedAt),
  };
}

function outcomeById(id: string): LivenessOutcome {
  if (id.startsWith('fail')) return 'failed';
  return id.startsWith('pend') ? 'pending' : 'passed';
}
