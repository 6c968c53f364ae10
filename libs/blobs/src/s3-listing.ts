import { XMLParser } from 'fast-xml-parser';

interface ListedObject {
  readonly key: string;
  readonly modifiedMs: number;
}

interface Contents {
  readonly Key?: string;
  readonly LastModified?: string;
}
interface Answer {
  readonly ListBucketResult?:
    | {
        readonly Contents?: readonly Contents[];
        readonly IsTruncated?: string;
        readonly NextContinuationToken?: string;
      }
    | '';
}

const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' });

/**
 * Parses a response of ListObjectsV2. An object without a valid time counts as new, so that it is never swept. Throws
 * if the text is not such a response.
 */
export function readListing(xml: string): { readonly objects: readonly ListedObject[]; readonly next: string | null } {
  const { ListBucketResult: result } = parser.parse(xml) as Answer;
  if (result === undefined) throw new TypeError('the blob store did not return a listing');
  if (result === '') return { objects: [], next: null };
  const objects = (result.Contents ?? []).map(({ Key = '', LastModified = '' }) => {
    const modifiedMs = Date.parse(LastModified);
    return { key: Key, modifiedMs: Number.isNaN(modifiedMs) ? Infinity : modifiedMs };
  });
  return { objects, next: result.IsTruncated === 'true' ? (result.NextContinuationToken ?? null) : null };
}
