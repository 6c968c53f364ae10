import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AdvanceClock, ClockAdvance } from '@ponte/contracts';
import { SANDBOX_CLOCK_ID } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime, parseInstant, refuse, Unavailable } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import { CLOCK, RUNTIME, SandboxClock, SYSTEM_CLOCK, RequestCommand } from '@ponte/nest';
import type { AdvanceRequest } from './sandbox-clock.decider';
import { sandboxClock } from './sandbox-clock.decider';

/** Sandbox only: advances business time. A repeated command advances it once. */
export class AdvanceClockCommand extends RequestCommand<typeof AdvanceClock> {}

@CommandHandler(AdvanceClockCommand)
export class AdvanceClockHandler implements ICommandHandler<AdvanceClockCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(RUNTIME) private readonly runtime: Runtime,
  ) {}

  async execute({ payload: command, context }: AdvanceClockCommand): Promise<ReplyOf<typeof AdvanceClock>> {
    if (this.runtime.environment !== 'sandbox') throw new Unavailable('service-unavailable');
    const { state } = await this.aggregates.handle(
      sandboxClock,
      SANDBOX_CLOCK_ID,
      () => this.requestOf(command),
      commandContext(context, this.clock),
    );
    // The other processes read the new time from the log.
    if (this.clock instanceof SandboxClock) this.clock.reach(state);
    return { now: isoTime(this.systemClock.now() + state.aheadMs), aheadMs: state.aheadMs };
  }

  private requestOf({ seconds, until }: ClockAdvance): AdvanceRequest {
    if (until === null)
      return Number.isSafeInteger(seconds) && seconds !== null && seconds > 0
        ? { bySeconds: seconds }
        : refuse('invalid-format', 'must be a whole number of seconds greater than zero', 'seconds');
    return {
      to:
        parseInstant(until) ??
        refuse('invalid-format', 'must be an RFC 3339 time such as 2026-01-31T12:00:00.000Z', 'until'),
      systemNow: this.systemClock.now(),
    };
  }
}
