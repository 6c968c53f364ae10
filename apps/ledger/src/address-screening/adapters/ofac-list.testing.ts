import { drained } from '@ponte/kernel';
import type { HitsByAddress, OfacLimits } from './ofac-list';
import { OfacListParser } from './ofac-list';

/** Parses a list that arrives in pieces of so many characters. */
export function addressesOf(
  xml: string,
  pieceLength = 1_000,
  limits: OfacLimits = { addresses: 1_000 },
): HitsByAddress {
  const parser = new OfacListParser(limits);
  for (let from = 0; from < xml.length; from += pieceLength) drained(parser.push(xml.slice(from, from + pieceLength)));
  return parser.end().hits;
}

/** A document with these entries. */
export const listOf = (entries: string, published = '11/20/2026') => `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.example/xml">
  <publshInformation><Publish_Date>${published}</Publish_Date><Record_Count>3</Record_Count></publshInformation>
  ${entries}
</sdnList>`;
export const entryOf = (uid: string, ids: string) =>
  `<sdnEntry><uid>${uid}</uid><lastName>X &amp; CO</lastName><programList><program>CYBER2</program></programList><idList>${ids}</idList></sdnEntry>`;
export const idOf = (type: string, number: string) =>
  `<id><uid>9</uid><idType>${type}</idType><idNumber>${number}</idNumber></id>`;
