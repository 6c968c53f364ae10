import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureCheck, WebhookSignatureParts } from '@ponte/contracts';
import { signature } from '../dispatch/sending.service';

const PREFIX = 'whsec_';
/** Length of a secret in bytes, from Standard Webhooks. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
/** How far a timestamp may be from the receiver's clock, from Standard Webhooks. */
const TOLERANCE_SECONDS = 300;
const SECONDS = /^\d{10}$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

interface SignatureContext {
  /** The endpoint's current secrets, in clear. No signature is computed with any other secret. */
  readonly secrets: readonly string[];
  /** System time, epoch seconds. */
  readonly now: number;
}

const correct = (part: string, message: string): SignatureCheck => ({ part, result: 'correct', message });
const wrong = (part: string, message: string): SignatureCheck => ({ part, result: 'wrong', message });
const skipped = (part: string): SignatureCheck => ({
  part,
  result: 'skipped',
  message: 'not checked: see what is wrong above',
});

/**
 * Checks each part of the verification of a webhook: the id, the timestamp, the form of the secret, its base64, the
 * secret itself, the form of the signature, and the signature. No message repeats any of the input.
 */
export function webhookChecks(parts: WebhookSignatureParts, context: SignatureContext): SignatureCheck[] {
  const ofSecret = secretChecks(parts.secret, context.secrets);
  const usable = ofSecret.every(({ result }) => result === 'correct');
  const form = formCheck(parts.signature);
  return [
    idCheck(parts.id),
    timestampCheck(parts.timestamp, context.now),
    ...ofSecret,
    form,
    usable && form.result === 'correct' ? signatureCheck(parts, parts.secret) : skipped('signature'),
  ];
}

function idCheck(id: string): SignatureCheck {
  if (id === '') return wrong('id', 'webhook-id is empty: use the header as it came');
  if (id.includes('.')) return wrong('id', 'webhook-id contains a dot; our ids are UUIDs');
  return correct('id', 'webhook-id has the form of an event id');
}

function timestampCheck(timestamp: string, now: number): SignatureCheck {
  if (/^\d{13}$/.test(timestamp))
    return wrong('timestamp', 'webhook-timestamp is in milliseconds; it must be seconds, as in the header');
  if (!SECONDS.test(timestamp))
    return wrong('timestamp', 'webhook-timestamp is not a whole number of seconds since 1970');
  const apart = Math.abs(now - Number(timestamp));
  return apart > TOLERANCE_SECONDS
    ? wrong(
        'timestamp',
        `webhook-timestamp is ${Math.round(apart)} s from our clock; receivers accept ${TOLERANCE_SECONDS} s`,
      )
    : correct('timestamp', 'webhook-timestamp is within the tolerance');
}

function secretChecks(secret: string, secrets: readonly string[]): SignatureCheck[] {
  if (!secret.startsWith(PREFIX)) {
    return [
      wrong('secret-form', `the secret does not start with ${PREFIX}`),
      skipped('secret-base64'),
      skipped('secret'),
    ];
  }
  const form = correct('secret-form', `the secret starts with ${PREFIX}`);
  const encoded = secret.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64').length;
  if (!BASE64.test(encoded) || encoded.length % 4 !== 0) {
    return [
      form,
      wrong('secret-base64', `what follows ${PREFIX} is not base64 with padding; was it cut or encoded for a URL?`),
      skipped('secret'),
    ];
  }
  if (bytes < MIN_BYTES || bytes > MAX_BYTES) {
    return [
      form,
      wrong('secret-base64', `the secret has ${bytes} bytes; it must have ${MIN_BYTES} to ${MAX_BYTES}`),
      skipped('secret'),
    ];
  }
  const known = secrets.some((one) => isSame(one, secret));
  return [
    form,
    correct('secret-base64', `what follows ${PREFIX} is base64`),
    known
      ? correct('secret', 'the secret signs for this sandbox endpoint')
      : wrong(
          'secret',
          'the secret does not sign for this sandbox endpoint: it was rotated, or belongs to another endpoint. Never send a live secret here',
        ),
  ];
}

function formCheck(signatures: string): SignatureCheck {
  const part = 'signature-form';
  if (signatures === '') return wrong(part, 'webhook-signature is empty: use the header as it came');
  const of1 = signatures.split(' ').filter((one) => one.startsWith('v1,'));
  if (of1.length === 0)
    return wrong(part, 'webhook-signature contains no signature of version 1: each starts with v1,');
  if (of1.some((one) => Buffer.from(one.slice(3), 'base64').length !== 32))
    return wrong(part, 'a signature is not the base64 of 32 bytes');
  return correct(part, 'webhook-signature contains signatures of version 1');
}

function signatureCheck(parts: WebhookSignatureParts, secret: string): SignatureCheck {
  const part = 'signature';
  const sent = parts.signature.split(' ');
  const matches = (expected: string): boolean => sent.some((one) => isSame(one, expected));
  const { id, timestamp, body } = parts;
  if (matches(signature(secret, id, timestamp, body)))
    return correct(part, 'the signature matches the id, the timestamp and the body');
  const found = mistakes(parts, secret).find(({ signatures }) => signatures.some(matches));
  return wrong(
    part,
    found?.message ??
      'the signature does not match: was the body changed or parsed and written again, or is the id or the timestamp of another request?',
  );
}

/** Common mistakes when signing for a test or verifying by hand, each with the signatures that it produces. */
function mistakes(
  { id, timestamp, body }: WebhookSignatureParts,
  secret: string,
): { readonly message: string; readonly signatures: readonly string[] }[] {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const of = (with_: Buffer | string, content: string): string =>
    `v1,${createHmac('sha256', with_).update(content).digest('base64')}`;
  const content = `${id}.${timestamp}.${body}`;
  return [
    {
      message: 'the secret was used as text: take what follows whsec_ and decode its base64',
      signatures: [of(secret, content), of(secret.slice(PREFIX.length), content)],
    },
    { message: 'only the body was signed: the content is id.timestamp.body', signatures: [of(key, body)] },
    { message: 'the id was left out: the content is id.timestamp.body', signatures: [of(key, `${timestamp}.${body}`)] },
    { message: 'the timestamp was left out: the content is id.timestamp.body', signatures: [of(key, `${id}.${body}`)] },
    {
      message: 'the body was parsed and written again: use the bytes as they came',
      signatures: rewritten(body).map((one) => of(key, `${id}.${timestamp}.${one}`)),
    },
  ];
}

function rewritten(body: string): string[] {
  try {
    const parsed: unknown = JSON.parse(body);
    return [JSON.stringify(parsed), JSON.stringify(parsed, null, 2), `${body}\n`, body.trimEnd()];
  } catch {
    return [`${body}\n`, body.trimEnd()];
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
