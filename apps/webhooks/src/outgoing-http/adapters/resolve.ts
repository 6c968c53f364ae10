import { lookup } from 'node:dns/promises';
import type { TargetAddresses } from '../outgoing-http.port';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
/** All addresses of a name, in the order in which they are tried. Rejects as `dns.lookup` does. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const resolveAll: Resolve = (hostname) => lookup(hostname, { all: true });

/** A name server that does not respond must not hold up a request for an endpoint, milliseconds. */
const PATIENCE_MS = 2_000;

/**
 * Addresses for the check when an endpoint is made. A name that does not resolve at that moment passes: each attempt
 * resolves it again and refuses what is not public.
 */
export const resolvedAddresses = (resolve: Resolve = resolveAll): TargetAddresses => ({
  async of(url) {
    if (!URL.canParse(url)) return [];
    const { hostname } = new URL(url);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<readonly ResolvedAddress[]>((settle) => {
      timer = setTimeout(() => settle([]), PATIENCE_MS);
    });
    const found = await Promise.race([resolve(hostname.replace(/^\[|\]$/g, '')).catch(() => []), late]);
    clearTimeout(timer);
    return found.map(({ address }) => address);
  },
});
