import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { TargetRules } from '../../endpoints/target.domain';
import type { TargetAddresses } from '../outgoing-http.port';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
/** Resolves a name to all its addresses, in the order in which they are tried. Rejects as `dns.lookup` does. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Resolves names as absolute ones, with a dot at the end. Otherwise the search domains of a cluster would be tried, and
 * the answer to a partner would tell whether a service of that name exists inside.
 */
export const resolvingWith =
  (look: Resolve): Resolve =>
  (hostname) =>
    look(isIP(hostname) > 0 || hostname.endsWith('.') ? hostname : `${hostname}.`);

const lookUp: Resolve = (name) => lookup(name, { all: true });
const lookUpAbsolute = resolvingWith(lookUp);

/**
 * The system's name resolution. Where private targets are allowed, names such as `localhost` are resolved as they are.
 */
export const resolverFor = ({ privateAllowed }: Pick<TargetRules, 'privateAllowed'>): Resolve =>
  privateAllowed ? lookUp : lookUpAbsolute;

/** Timeout of the name resolution in milliseconds, so that a slow name server does not hold up a request. */
const PATIENCE_MS = 2_000;

/**
 * Resolves the host of a URL when an endpoint is created or changed. A name that does not resolve passes, because each
 * attempt resolves it again and refuses addresses that are not public.
 */
export const resolvedAddresses = (resolve: Resolve = lookUpAbsolute): TargetAddresses => ({
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
