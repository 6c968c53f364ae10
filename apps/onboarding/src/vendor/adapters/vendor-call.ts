import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { readBody } from '@ponte/kernel';

/**
 * The vendor gave no usable response. The reason is safe to log: it has no URL (which may contain an id or a key) and
 * nothing of the body.
 */
export class VendorFailed extends Error {
  override readonly name = 'VendorFailed';
}

interface VendorCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Credentials in the form that the vendor requires. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Timeout of the whole request. */
  readonly timeoutMs: number;
  readonly dispatcher?: Dispatcher;
}

export interface VendorAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A result has a few kilobytes. */
const MAX_BODY_BYTES = 1_048_576;
/** Statuses whose body is read: a result, or "still working". */
const READ: ReadonlySet<number> = new Set([200, 201, 202]);
/** Statuses that are about what was asked for, such as an id that the vendor does not know: not an outage. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 409, 410, 414, 422]);

/**
 * Makes one JSON request: returns 200, 201 and 202 with the body, and the refusals 400, 404, 409, 410, 414 and 422
 * without. Does not follow redirects. Throws {@link VendorFailed} in all other cases.
 */
export async function callVendor({
  method,
  url,
  headers,
  body,
  timeoutMs,
  dispatcher,
}: VendorCall): Promise<VendorAnswer> {
  try {
    const response = await request(url, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(dispatcher ? { dispatcher } : {}),
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!READ.has(response.statusCode)) {
      // Cancelling a body early emits an error that no other code would handle.
      response.body.on('error', () => undefined).destroy();
      if (REFUSED.has(response.statusCode)) return { status: response.statusCode, body: null };
      throw new VendorFailed(`the vendor responded with ${response.statusCode}`);
    }
    return { status: response.statusCode, body: parse(await textOf(response.body as AsyncIterable<Buffer>)) };
  } catch (error) {
    if (error instanceof VendorFailed) throw error;
    const { code, name } = error as NodeJS.ErrnoException;
    throw new VendorFailed(String(code ?? name));
  }
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const content = await readBody(body, MAX_BODY_BYTES);
  if (!content) throw new VendorFailed('the response of the vendor is too large');
  return content.toString('utf8');
}

function parse(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new VendorFailed('the response of the vendor is not JSON');
  }
}
