import { BlockList, isIP } from 'node:net';

const BITS = { 4: 32, 6: 128 } as const;

/** Combines addresses and CIDR blocks into one list. Throws a TypeError on any other entry: a corrupt record. */
export function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address);
    if (family !== 4 && family !== 6) throw new TypeError('an entry of the IP allowlist is not an IP address');
    const bits = prefix === undefined ? BITS[family] : Number(prefix);
    if (!Number.isInteger(bits) || bits < 0 || bits > BITS[family])
      throw new TypeError('an entry of the IP allowlist is not a CIDR block');
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
