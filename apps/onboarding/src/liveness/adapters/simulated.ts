import type { Clock } from '@ponte/kernel';
import { derivedId, isoTime } from '@ponte/kernel';
import type { Liveness, LivenessNotice, LivenessNotices, LivenessOutcome, LivenessResult } from '../liveness.port';
import { Misbehaviour, SimulatedNotices } from '../../vendor/adapters/misbehaviour';

interface Session {
  readonly outcome: LivenessOutcome;
  readonly event: number;
  readonly decidedAt: number;
}

/** Sessions that a test may tell what to say; beyond these the oldest is forgotten, and its id speaks again. */
const MAX_SESSIONS = 10_000;

/**
 * A provider that decides by the session's id: one that starts `fail` failed, one that starts `pend` is undecided until
 * {@link decide}, every other has passed. Deterministic, so that what a crash forgot is said again.
 */
export class SimulatedLiveness implements Liveness, LivenessNotices {
  readonly misbehaviour = new Misbehaviour();
  private readonly notices = new SimulatedNotices<LivenessNotice>(this.misbehaviour);
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly clock: Clock) {}

  async resultOf({ provider, id }: { readonly provider: string; readonly id: string }): Promise<LivenessResult> {
    this.misbehaviour.call();
    const key = JSON.stringify([provider, id]);
    const session = this.sessions.get(key) ?? { outcome: byItsId(id), event: 0, decidedAt: this.clock.now() };
    return word(provider, id, session);
  }

  /** The provider makes up its mind, and says so. */
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

  /** Notices that were held back go out now, the last first. */
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

function byItsId(id: string): LivenessOutcome {
  if (id.startsWith('fail')) return 'failed';
  return id.startsWith('pend') ? 'pending' : 'passed';
}
