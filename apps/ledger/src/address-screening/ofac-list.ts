import type { AddressHit } from '@ponte/contracts';
import { parseEvmAddress } from '@ponte/kernel';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** The file is not a valid OFAC list. */
export class BadAddressList extends Error {
  override readonly name = 'BadAddressList';
}

interface Entry {
  readonly uid?: string;
  readonly programList?: { readonly program?: readonly string[] };
  readonly idList?: { readonly id?: readonly { readonly idType?: string; readonly idNumber?: string }[] };
}

/** OFAC writes `Digital Currency Address - ETH`, and uses other tickers for tokens on the same chains. */
const ID_TYPE = /^Digital Currency Address - /;
const REPEATED: ReadonlySet<string> = new Set(['sdnEntry', 'id', 'program']);
export const LIST = 'ofac-sdn';

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: true,
  isArray: (name) => REPEATED.has(name),
});

/**
 * Reads the addresses of EVM chains in OFAC's SDN list (`sdn.xml`: `sdnEntry` with `idList`). Addresses of other chains
 * are left out.
 *
 * @param xml the text of the file
 * @returns the entries by address in lower case
 * @throws BadAddressList if the file is not such a list, or has no entry at all
 */
export function addressesOf(xml: string): ReadonlyMap<string, readonly AddressHit[]> {
  // Without a document type there are no entities to expand.
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new BadAddressList('the list declares a document type');
  if (XMLValidator.validate(xml) !== true) throw new BadAddressList('the list is not well-formed XML');
  const { sdnList } = parser.parse(xml) as { sdnList?: { sdnEntry?: readonly Entry[] } };
  if (!sdnList?.sdnEntry) throw new BadAddressList('the list has no sdnList with sdnEntry elements');
  const hitsByAddress = new Map<string, AddressHit[]>();
  for (const { uid, programList, idList } of sdnList.sdnEntry) {
    for (const { idType = '', idNumber = '' } of idList?.id ?? []) {
      const address = ID_TYPE.test(idType) ? parseEvmAddress(idNumber.toLowerCase()) : undefined;
      if (!address?.ok) continue;
      if (!uid) throw new BadAddressList('an entry of the list has no uid');
      const hit = { list: LIST, entryId: uid, programs: programList?.program ?? [] };
      hitsByAddress.set(address.address, [...(hitsByAddress.get(address.address) ?? []), hit]);
    }
  }
  return hitsByAddress;
}
