import type { AdvanceClock } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import type { FieldType } from '../../validation/field-types';
import { instant, whole } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { isPlainObject, Optional, Required } from '../../validation/fields';
import { exactlyOneOf, Together } from '../../validation/together';
import { SAMPLE } from '../samples';

/** {@link advanceViolations} refuses zero and less; the clock refuses to go too far ahead. */
const someSeconds: FieldType = { ...whole, schema: { ...whole.schema, minimum: 1 } };

@Together(exactlyOneOf('seconds', 'until'))
export class ClockAdvanceDto {
  @Optional(someSeconds, 'Number of seconds to advance, greater than zero', 86_400)
  seconds?: number;

  @Optional(instant, 'Time to advance to; a time in the past changes nothing', SAMPLE.time)
  until?: string;
}

export class ClockDto {
  @Required(instant, 'Current business time', SAMPLE.time)
  now!: string;

  @Required(whole, 'Seconds by which it is ahead of real time, rounded up', 86_400)
  'ahead-seconds'!: number;
}

export class ClockEnvelopeDto extends EnvelopeOf(
  'clock',
  () => ClockDto,
  'Business time; all services of the sandbox follow it within a moment',
) {}

export const CLOCK_ADVANCE_EXAMPLE: ClockAdvanceDto = { seconds: 86_400 };
export const clockDto = ({ now, aheadMs }: ReplyOf<typeof AdvanceClock>): ClockEnvelopeDto => ({
  clock: { now, 'ahead-seconds': Math.ceil(aheadMs / 1000) },
});

/** Violations of: exactly one of `seconds` and `until`, and `seconds` greater than zero. */
export function advanceViolations(body: unknown): Violation[] {
  if (!isPlainObject(body)) return [];
  const { seconds, until } = body;
  const both = seconds !== undefined;
  if (both === (until !== undefined))
    return [
      {
        path: both ? 'until' : 'seconds',
        code: both ? 'unknown-field' : 'missing-field',
        message: 'send exactly one of seconds and until',
      },
    ];
  return typeof seconds === 'number' && seconds <= 0
    ? [{ path: 'seconds', code: 'invalid-format', message: 'must be greater than zero' }]
    : [];
}
