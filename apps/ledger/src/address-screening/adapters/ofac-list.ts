import { runYielding } from '@ponte/concurrency';
import type { AddressHit } from '@ponte/contracts';
import type { Steps } from '@ponte/kernel';
import { parseEvmAddress } from '@ponte/kernel';
import type { ListReader, Publication } from '@ponte/screening-lists';
import { BadList, PlainXml, SplitList, parsePublication, parseXml } from '@ponte/screening-lists';
import { XMLParser } from 'fast-xml-parser';

/** The entries that name an address, by address in lower case. */
export type HitsByAddress = ReadonlyMap<string, readonly AddressHit[]>;

export interface OfacList {
  readonly hits: HitsByAddress;
  /** Null if the list does not state its day, or not in OFAC's format. */
  readonly published: Publication | null;
}

/** The most that a list may take: addresses, each as often as an entry names it. */
export type OfacLimits = Readonly<Record<'addresses', number>>;

interface Entry {
  readonly uid?: unknown;
  readonly programList?: { readonly program?: readonly unknown[] };
  readonly idList?: readonly { readonly id?: readonly { readonly idType?: unknown; readonly idNumber?: unknown }[] }[];
}

/** What is outside the entries. OFAC's format misspells its name. */
interface Frame {
  readonly publshInformation?: { readonly Publish_Date?: unknown };
}

/** OFAC writes `Digital Currency Address - ETH`, and uses other tickers for tokens on the same chains. */
const ID_TYPE = /^Digital Currency Address - /;
const REPEATED: ReadonlySet<string> = new Set(['idList', 'id', 'program']);
/** In characters. OFAC has some hundreds outside its entries. */
const MAX_FRAME = 2 ** 16;
/** Of an address with the number and the programs of its entry. Events contain them. */
const MAX_HIT_BYTES = 1_000;
export const LIST = 'ofac-sdn';

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  trimValues: true,
  // Without this the parser does not decode numeric character references.
  htmlEntities: true,
  isArray: (name) => REPEATED.has(name),
});

/** Keeps the addresses of a list in OFAC's format. */
export const ofacReader: ListReader<OfacList, OfacLimits> = {
  entries: ({ hits }) => hits.size,
  published: ({ published }) => published,
  async read(pieces, limits) {
    const list = new OfacListParser(limits);
    for await (const piece of pieces) await runYielding(list.push(piece));
    return list.end();
  },
};

/**
 * Reads the addresses of EVM chains in OFAC's SDN list (`sdn.xml`: `sdnEntry` with `idList`). Addresses of other chains
 * are left out. Takes the text in pieces, and parses one entry at a time: the list has some 18,000 entries and 25
 * megabytes. Every entry must be well-formed, whether or not it has an address. Throws {@link BadList} if the text is
 * not such a list, has no address of an EVM chain, or has more addresses than the limit.
 */
export class OfacListParser {
  private readonly plain = new PlainXml();
  private readonly split = new SplitList('sdnList', 'sdnEntry', MAX_FRAME);
  private readonly hits = new Map<string, AddressHit[]>();
  private entries = 0;
  private addresses = 0;

  constructor(private readonly limits: OfacLimits) {}

  /** Reads the next piece of the text, one entry per step. */
  *push(piece: string): Steps<void> {
    for (const entry of this.split.push(this.plain.push(piece))) {
      this.entries += 1;
      const { sdnEntry } = parseXml(parser, entry);
      // A self-closing entry has no end of its own, so that the next one comes with it.
      if (Array.isArray(sdnEntry)) throw emptyEntry();
      this.add(sdnEntry as Entry);
      yield;
    }
  }

  /** Checks what is outside the entries, and returns the list. */
  end(): OfacList {
    this.plain.end();
    const frame = this.split.end();
    const { sdnList } = parseXml(parser, frame);
    if (sdnList === undefined || Array.isArray(sdnList) || this.entries === 0)
      throw new BadList('the list has no sdnList with sdnEntry elements');
    // Its addresses would be lost.
    if (/<sdnEntry[\s/>]/.test(frame)) throw emptyEntry();
    // OFAC's consolidated list, without the people on the SDN list, has the same format. The SDN list has had addresses
    // since 2018.
    if (this.hits.size === 0)
      throw new BadList("the list has no address of an EVM chain: it must be OFAC's SDN list (sdn.xml)");
    return { hits: this.hits, published: publicationOf(sdnList as Frame) };
  }

  private add({ uid, programList, idList }: Entry): void {
    for (const { idType, idNumber } of (idList ?? []).flatMap(({ id }) => id ?? [])) {
      if (!ID_TYPE.test(this.textOf(idType))) continue;
      const parsed = parseEvmAddress(this.textOf(idNumber).toLowerCase());
      if (!parsed.ok) continue;
      const entryId = this.textOf(uid);
      if (entryId === '') throw new BadList('an entry of the list has no uid');
      const programs = (programList?.program ?? []).map((program) => this.textOf(program));
      this.addHit(parsed.address, { list: LIST, entryId, programs });
    }
  }

  private addHit(address: string, hit: AddressHit): void {
    this.addresses += 1;
    if (this.addresses > this.limits.addresses)
      throw new BadList(`the list has more than ${this.limits.addresses} addresses`);
    const text = JSON.stringify([address, hit]);
    if (Buffer.byteLength(text) > MAX_HIT_BYTES)
      throw new BadList(
        `the uid and the programs of entry ${this.entries} of the list have more than ${MAX_HIT_BYTES} bytes`,
      );
    // Copies, because a string of the parser may keep the whole piece of the text in memory.
    const [key, copy] = JSON.parse(text) as [string, AddressHit];
    const others = this.hits.get(key);
    if (others) others.push(copy);
    else this.hits.set(key, [copy]);
  }

  /** Empty if the element is missing. */
  private textOf(value: unknown): string {
    if (value === undefined) return '';
    if (typeof value !== 'string') throw new BadList(`entry ${this.entries} of the list does not have OFAC's format`);
    return value;
  }
}

/** OFAC writes `11/20/2026`. */
function publicationOf({ publshInformation }: Frame): Publication | null {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(String(publshInformation?.Publish_Date)) ?? [];
  return parsePublication(`${year}-${month}-${day}`);
}

const emptyEntry = (): BadList => new BadList('an entry of the list is empty or outside the list');
