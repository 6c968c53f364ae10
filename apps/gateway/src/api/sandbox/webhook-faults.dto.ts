import type { EndpointFaults } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import { flag, instant, wholeWithin } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';

const MAX_DELAY_MS = 30_000;
const MAX_MINUTES = 10_080;

/** An absent field means: without this fault. */
export class WebhookFaultsRequestDto {
  @Optional(wholeWithin(0, MAX_DELAY_MS), 'Each request is delayed by this many milliseconds', 2_000)
  'delay-ms'?: number;

  @Optional(flag, 'Each request is sent twice, with the same `webhook-id`', true)
  duplicate?: boolean;

  @Optional(
    flag,
    'Events of one resource arrive out of order: those with an odd `sequence` are held back for 3 s',
    true,
  )
  reorder?: boolean;

  @Optional(flag, 'The signature does not match the body', false)
  'bad-signature'?: boolean;

  @Optional(
    wholeWithin(0, MAX_MINUTES),
    'For this many minutes nothing is sent, and each attempt counts as a 500 response',
    5,
  )
  'respond-500-minutes'?: number;
}

export class WebhookFaultsDto {
  @Required(wholeWithin(0, MAX_DELAY_MS), 'Each request is delayed by this many milliseconds', 2_000)
  'delay-ms'!: number;

  @Required(flag, 'Each request is sent twice', true)
  duplicate!: boolean;

  @Required(flag, 'Events of one resource arrive out of order', true)
  reorder!: boolean;

  @Required(flag, 'The signature does not match the body', false)
  'bad-signature'!: boolean;

  @Optional(
    instant,
    'Until this time nothing is sent, and each attempt counts as a 500 response',
    '2026-01-31T12:05:00.000Z',
  )
  'respond-500-until'?: string;
}

export class WebhookFaultsEnvelopeDto extends EnvelopeOf(
  'webhook-faults',
  () => WebhookFaultsDto,
  'The active faults',
) {}

export const FAULTS_REQUEST_EXAMPLE: WebhookFaultsRequestDto = {
  'delay-ms': 2_000,
  duplicate: true,
  'respond-500-minutes': 5,
};

export const FAULTS_EXAMPLE: WebhookFaultsEnvelopeDto = {
  'webhook-faults': exampleOf(WebhookFaultsDto, { reorder: false, 'respond-500-until': '2026-01-31T12:05:00.000Z' }),
};

export const faultsDto = ({ respond500Until, ...faults }: EndpointFaults): WebhookFaultsDto => ({
  ...toWire(faults, 'delayMs', 'duplicate', 'reorder', 'badSignature'),
  ...(respond500Until === null ? {} : { 'respond-500-until': respond500Until }),
});
