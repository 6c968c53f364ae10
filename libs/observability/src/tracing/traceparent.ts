import type { SpanContext } from '@opentelemetry/api';

/** Version 00 of https://www.w3.org/TR/trace-context/; for later versions, the fields shared with version 00. */
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined for invalid input; a new trace starts then. */
export function parseTraceparent(text: string | undefined, isRemote = false): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] =
    (text !== undefined && text.length <= MAX_LENGTH && FORM.exec(text)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined || (version === '00' && more !== undefined))
    return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote };
}

export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & SAMPLED}`;

const SAMPLED = 1;
const MAX_LENGTH = 128;
