import * as ipaddr from 'ipaddr.js';

/** The IPv4 address, or the IPv6 network of one customer, who can use any address in it. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
