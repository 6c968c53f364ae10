import type { WebhookEventDefinition, WebhookEventType } from '@ponte/contracts';
import { WEBHOOK_EVENTS } from '@ponte/contracts';

type PayloadFields = WebhookEventDefinition['forms'][number];
type PayloadField = PayloadFields[string];

/**
 * Returns how a payload differs from the closest form of its event type: fields that are missing, unknown or of another
 * type. Empty when it matches a form.
 */
export function payloadFaults(type: WebhookEventType, payload: Readonly<Record<string, unknown>>): readonly string[] {
  const ofForms = WEBHOOK_EVENTS[type].forms.map((fields) => formFaults(fields, payload));
  return ofForms.some((faults) => faults.length === 0)
    ? []
    : (ofForms.sort((one, other) => one.length - other.length)[0] ?? []);
}

function formFaults(fields: PayloadFields, payload: Readonly<Record<string, unknown>>): string[] {
  const unknown = Object.keys(payload)
    .filter((name) => !(name in fields))
    .map((name) => `${name} is not a known field`);
  const wrong = Object.entries(fields).flatMap(([name, one]) =>
    isRight(one, payload[name]) ? [] : [`${name} is missing or has the wrong type`],
  );
  return [...unknown, ...wrong];
}

function isRight({ schema, optional }: PayloadField, value: unknown): boolean {
  if (value === undefined) return optional;
  const { type, enum: values, items } = schema as { type: string; enum?: readonly unknown[]; items?: Words };
  if (values && !values.includes(value)) return false;
  if (type !== 'array') return typeof value === type && value !== null;
  return Array.isArray(value) && value.every((one) => items?.enum.includes(one) ?? true);
}

/** The schema of the elements of a list. */
interface Words {
  readonly enum: readonly unknown[];
}
