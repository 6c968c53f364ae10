import type { Dispatcher } from 'undici';
import type { LivenessVendorSettings } from '../../checks.vendors';
import { LIVENESS_FIELDS, LIVENESS_WORDS } from '../../checks.vendors';
import { HttpLiveness } from './http.liveness.adapter';

export const NOW = Date.UTC(2026, 2, 1, 12);

export const SECRET = 'whole secret of provider-1';

export const OTHER = 'the secret that comes after';

const SIGNATURE = { secrets: [SECRET, OTHER], timestampHeader: 'x-timestamp', signatureHeader: 'x-signature' };

interface ProvidersOptions {
  readonly warn: (line: string) => void;
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
}

/** Three providers at this address: one with callbacks, one without, and one with fields and words of its own. */
export function providersAt(origin: string, { warn, timeoutMs = 60_000, dispatcher }: ProvidersOptions): HttpLiveness {
  const vendor = (name: string, more: Partial<LivenessVendorSettings> = {}): LivenessVendorSettings => ({
    name,
    resultUrl: `${origin}/sessions/{id}/result`,
    headers: { 'x-api-key': 'k' },
    fields: LIVENESS_FIELDS,
    ...LIVENESS_WORDS,
    callback: null,
    ...more,
  });
  return new HttpLiveness({
    vendors: [
      vendor('provider-1', { callback: SIGNATURE }),
      vendor('provider-2'),
      vendor('provider-3', {
        passed: ['green'],
        failed: ['red'],
        fields: { 'session-id': 'data.session', outcome: 'data.colour', 'event-id': 'id', 'decided-at': 'data.at' },
      }),
    ],
    timeoutMs,
    now: () => NOW,
    warn: (provider, reason) => warn(`${provider}: ${reason}`),
    dispatcher,
  });
}
