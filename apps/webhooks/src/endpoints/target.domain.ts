import * as ipaddr from 'ipaddr.js';
import type { Violation } from '@ponte/kernel';

/** Which targets webhooks may be sent to. */
export interface TargetRules {
  readonly plainHttpAllowed: boolean;
  /** Whether an address that is not public (loopback, a private network) is accepted. */
  readonly privateAllowed: boolean;
  /** Accepted TCP ports; null accepts all. */
  readonly ports: readonly number[] | null;
}

/** In the sandbox, partners test with receivers on their own machines. */
const SANDBOX_RULES: TargetRules = { plainHttpAllowed: true, privateAllowed: true, ports: null };
/** The network policy of the Helm chart opens the same port. */
const STRICT_RULES: TargetRules = { plainHttpAllowed: false, privateAllowed: false, ports: [443] };

/** The rules of an environment; every environment but the sandbox has the strict ones. */
export const targetRules = (environment: string): TargetRules =>
  environment === 'sandbox' ? SANDBOX_RULES : STRICT_RULES;

/** IPv6 addresses outside this block are never global unicast, including those that IANA has not assigned yet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Whether an IP address is public (global unicast). False for an address that embeds an IPv4 address (mapped, NAT64,
 * 6to4, Teredo), since that may be private, and for text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/**
 * The IP address that a URL names literally, without brackets; undefined when its host is a name. The URL parser has
 * already turned octal, hexadecimal and Unicode digits into dotted decimals.
 */
export function literalAddress({ hostname }: Pick<URL, 'hostname'>): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(address) ? address : undefined;
}

/**
 * Describes what is wrong with the scheme, credentials, port or host of a target. Empty when nothing is wrong as far as
 * the URL shows; {@link violationsOfAddresses} checks the addresses of its host.
 */
export function refusalsOfTarget(url: URL, rules: TargetRules): string[] {
  const refusals: string[] = [];
  if (url.protocol !== 'https:' && !(rules.plainHttpAllowed && url.protocol === 'http:')) {
    refusals.push(rules.plainHttpAllowed ? 'must start with https:// or http://' : 'must start with https://');
  }
  if (url.username !== '' || url.password !== '') refusals.push('must not contain credentials');
  const port = url.port === '' ? DEFAULT_PORTS[url.protocol] : Number(url.port);
  if (rules.ports && refusals.length === 0 && (port === undefined || !rules.ports.includes(port)))
    refusals.push(`must have the port ${rules.ports.join(' or ')}`);
  const literal = literalAddress(url);
  if (!rules.privateAllowed && (literal === undefined ? isLocalName(url.hostname) : !isPublicAddress(literal)))
    refusals.push(NOT_PUBLIC);
  return refusals;
}

/** Refuses a host if any of its addresses is not public, because the resolver may choose any of them. */
export const violationsOfAddresses = (addresses: readonly string[], rules: TargetRules): Violation[] =>
  rules.privateAllowed || addresses.every(isPublicAddress)
    ? []
    : [{ code: 'invalid-format', path: 'url', message: NOT_PUBLIC }];

const NOT_PUBLIC = 'must have a host with public addresses only';

/** Whether a name can never be in the public DNS. */
const isLocalName = (hostname: string): boolean =>
  !hostname.replace(/\.$/, '').includes('.') || /\.(localhost|local|internal)\.?$/.test(hostname);

/** Masks the query, which often contains a token. Only requests to the receiver contain it in clear. */
export const maskedUrl = (url: string): string => url.replace(/\?.*$/s, '?***');
export const hasQuery = (url: string): boolean => url.includes('?');
