import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { TargetRules } from '../../endpoints/target.domain';
import type { TargetAddresses } from '../outgoing-http.port';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}
/** Resolves a name to all its addresses, in the order in which they are tried. Rejects when it has none. */
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/**
 * Resolves names as absolute ones, with a dot at the end. Otherwise the search domains of a cluster would be tried, and
 * the answer to a partner would tell whether a service of that name exists inside.
 */
export const resolvingWith =
  (resolve: Resolve): Resolve =>
  (hostname) =>
    resolve(isIP(hostname) > 0 || hostname.endsWith('.') ? hostname : `${hostname}.`);

const lookUp: Resolve = (name) => lookup(name, { all: true });

/** Per query in milliseconds. A query is sent twice, which takes less time than a request may take. */
const QUERY_MS = 1_000;
const QUERIES = 2;

/**
 * Asks the name servers directly. `dns.lookup` would hold one of the few threads of the process until they answer, so
 * a partner whose name server is silent would delay the webhooks of all others.
 */
function queries(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: QUERIES });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    if (isIP(name) > 0) return [{ address: name, family: isIP(name) }];
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 })),
    ];
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}

/**
 * The name resolution for targets, through the name servers of the system. Where private targets are allowed, names
 * such as `localhost` are resolved as the system does. `servers` replaces the name servers in tests.
 */
export const resolverFor = (
  { privateAllowed }: Pick<TargetRules, 'privateAllowed'>,
  servers?: readonly string[],
): Resolve => (privateAllowed ? lookUp : resolvingWith(queries(servers)));

/** Timeout of the name resolution in milliseconds, so that a slow name server does not hold up a request. */
const PATIENCE_MS = 2_000;

/**
 * Resolves the host of a URL when an endpoint is created or changed. A name that does not resolve passes, because each
 * attempt resolves it again and refuses addresses that are not public.
 */
export const resolvedAddresses = (resolve: Resolve = resolverFor({ privateAllowed: false })): TargetAddresses => ({
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
