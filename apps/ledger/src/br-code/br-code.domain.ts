import { crc16 } from './crc.domain';
import type { Field } from './tlv.domain';
import { readFields, writeFields } from './tlv.domain';

/** The payee as the payer's bank shows it: printable ASCII, at most 25 and 15 characters. */
interface Merchant {
  readonly name: string;
  readonly city: string;
}

/** A code that anyone may pay, any number of times. */
interface StaticCode extends Merchant {
  readonly kind: 'static';
  /** The Pix key of our account at the bank. */
  readonly key: string;
  /** 1 to 25 letters and digits that the bank returns with every payment. */
  readonly txid: string;
  /** `100.50`, or null if the payer chooses. */
  readonly amount: string | null;
}

/** A code that points to a charge at the bank, where the amount, the txid and the expiration are stored. */
interface DynamicCode extends Merchant {
  readonly kind: 'dynamic';
  /** The URL of the charge's payload, without the scheme. */
  readonly location: string;
}

export type BrCode = StaticCode | DynamicCode;

/** The id of Pix in the merchant account information field. */
const PIX = 'br.gov.bcb.pix';
const REAL = '986';
const MAX_LENGTH = 512;
const CRC_FIELD = '6304';
const AMOUNT = /^(0|[1-9]\d{0,9})\.\d{2}$/;
const TXID = /^[A-Za-z0-9]{1,25}$/;
/** A dynamic code has this placeholder as its txid; the real txid is in the charge's payload. */
const NO_TXID = '***';

const merchantFields = ({ name, city }: Merchant, amount: string | null, txid: string): Field[] => [
  ['52', '0000'],
  ['53', REAL],
  ...(amount === null ? [] : [['54', amount] as const]),
  ['58', 'BR'],
  ['59', name],
  ['60', city],
  ['62', writeFields([['05', txid]])],
];

/** Builds the copy-and-paste text of a code. Throws a RangeError if a field is invalid. */
export function buildBrCode(code: BrCode): string {
  if (code.name.length > 25 || code.city.length > 15)
    throw new RangeError('the merchant of a BR Code must have at most 25 characters of name and 15 of city');
  if (code.kind === 'static' && (!TXID.test(code.txid) || (code.amount !== null && !AMOUNT.test(code.amount))))
    throw new RangeError(
      'a static BR Code must have a txid of 1 to 25 letters and digits and an amount such as 100.50',
    );
  const body =
    code.kind === 'static'
      ? writeFields([
          ['00', '01'],
          [
            '26',
            writeFields([
              ['00', PIX],
              ['01', code.key],
            ]),
          ],
          ...merchantFields(code, code.amount, code.txid),
        ])
      : writeFields([
          ['00', '01'],
          ['01', '12'],
          [
            '26',
            writeFields([
              ['00', PIX],
              ['25', code.location],
            ]),
          ],
          ...merchantFields(code, null, NO_TXID),
        ]);
  return body + CRC_FIELD + crc16(body + CRC_FIELD);
}

/** Parses a code; undefined if it is damaged, truncated, of another scheme or not a Pix. */
export function parseBrCode(text: string): BrCode | undefined {
  if (text.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(text)) return undefined;
  const body = text.slice(0, -4);
  if (!body.startsWith('000201') || !body.endsWith(CRC_FIELD) || crc16(body) !== text.slice(-4).toUpperCase())
    return undefined;
  const fields = readFields(body.slice(0, -CRC_FIELD.length));
  if (!fields || fields.get('53') !== REAL || fields.get('58') !== 'BR' || !fields.has('52')) return undefined;
  const pix = pixAccount(fields);
  const name = fields.get('59');
  const city = fields.get('60');
  const txid = readFields(fields.get('62') ?? '')?.get('05');
  if (!pix || name === undefined || city === undefined || txid === undefined) return undefined;
  if (name.length > 25 || city.length > 15) return undefined;
  return codeOf(pix, { name, city }, txid, fields);
}

function codeOf(
  pix: ReadonlyMap<string, string>,
  merchant: Merchant,
  txid: string,
  fields: ReadonlyMap<string, string>,
): BrCode | undefined {
  const key = pix.get('01');
  const location = pix.get('25');
  const amount = fields.get('54') ?? null;
  if (location !== undefined && key === undefined) return { kind: 'dynamic', location, ...merchant };
  if (key === undefined || location !== undefined || fields.get('01') === '12') return undefined;
  return TXID.test(txid) && (amount === null || AMOUNT.test(amount))
    ? { kind: 'static', key, txid, amount, ...merchant }
    : undefined;
}

/** The first merchant account, in the fields 26 to 51, that belongs to Pix. */
function pixAccount(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> | undefined {
  for (let id = 26; id <= 51; id += 1) {
    const account = readFields(fields.get(String(id)) ?? '');
    if (account?.get('00')?.toLowerCase() === PIX) return account;
  }
  return undefined;
}
