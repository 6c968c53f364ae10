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

/** Whether the address may use the key. An IPv4-mapped IPv6 address counts as IPv4. */
export function allowsAddress(key: { readonly allowed: BlockList | null }, address: string): boolean {
  if (key.allowed === null) return true;
  const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
  const family = isIP(plain);
  return family !== 0 && key.allowed.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}
