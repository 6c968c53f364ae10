/* global fetch, AbortSignal */

/**
 * @typedef {import('../types').Session} Session
 * @typedef {import('../types').Problem} Problem
 */

/**
 * Longer than the server's own deadline for a request. After this time the page reports the failure, and the request
 * can be sent again.
 */
const PATIENCE_MS = 30_000;

/** An error response of the server, or a request that got no response. */
export class Refused extends Error {
  /** @param {number} status 0 without a response @param {Problem} problem @param {number} [retryAfter] seconds */
  constructor(status, problem, retryAfter = 0) {
    super(problem.message);
    this.status = status;
    this.retryAfter = retryAfter;
    this.code = problem.code;
    this.details = problem.details ?? [];
  }

  /** Everything that is wrong, each once. */
  get messages() {
    return [...new Set([this.message, ...this.details.map(({ message }) => message)])];
  }
}

const AWAY = { code: 'no-answer', message: 'The server did not answer. Check the connection and try again.' };
const ODD = { code: 'unreadable', message: 'The server sent a response that this page cannot read.' };

let csrfToken = '';
/** @type {SessionFollower | undefined} */
let follower;

/** @param {string} token */
export const useCsrfToken = (token) => {
  csrfToken = token;
};

/**
 * What is called when a session has ended (`no-session`), and when the cookie no longer has the page's session
 * (`csrf-token-mismatch`). Each resolves when the page may continue, for the same person; otherwise never.
 * @typedef {{ 'no-session': () => Promise<void>, 'csrf-token-mismatch': () => Promise<void> }} SessionFollower
 */

/** @param {SessionFollower | undefined} next */
export const followSession = (next) => {
  follower = next;
};

/**
 * @param {string} method
 * @param {string} path
 * @param {{ body?: unknown, background?: boolean, anySession?: boolean, signal?: AbortSignal }} [options] `background`:
 *   does not keep the session alive; `anySession`: a read that is answered in whatever session the cookie has
 * @returns {Promise<Response>}
 */
async function ask(method, path, { body, background, anySession = false, signal } = {}) {
  const limit = AbortSignal.timeout(PATIENCE_MS);
  try {
    return await fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      headers: {
        // Files are of other types; errors are always JSON.
        accept: 'application/json, */*;q=0.5',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(anySession ? {} : { 'x-csrf-token': csrfToken }),
        ...(background ? { 'x-background': 'true' } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused(0, AWAY);
  }
}

/** @param {Response} response @returns {Promise<Refused>} */
async function refusalOf(response) {
  try {
    const { error } = await response.json();
    if (typeof error?.code === 'string' && typeof error.message === 'string')
      return new Refused(response.status, error, Number(response.headers.get('retry-after') ?? 0));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  return new Refused(response.status, ODD);
}

/**
 * The code for a write whose session was renewed. Reads are sent again after a renewal, but writes never are, because
 * the user may have changed their mind.
 */
export const SESSION_RENEWED = 'session-renewed';

/**
 * @param {string} method
 * @param {string} path
 * @param {Parameters<typeof ask>[2]} [options]
 * @returns {Promise<Response>}
 */
async function answered(method, path, options) {
  for (let renewals = 0; ; renewals += 1) {
    const response = await ask(method, path, options);
    if (response.ok) return response;
    const refusal = await refusalOf(response);
    const { code } = refusal;
    if ((code !== 'no-session' && code !== 'csrf-token-mismatch') || !follower || renewals > 1) throw refusal;
    await follower[code]();
    if (code === 'no-session' && method !== 'GET')
      throw new Refused(401, {
        code: SESSION_RENEWED,
        message:
          'Your session had ended, so nothing was sent. You are signed in again: check your input and send it again.',
      });
  }
}

/** @param {Response} response @returns {Promise<any>} */
async function bodyOf(response) {
  if (response.status === 204) return undefined;
  try {
    return await response.json();
  } catch (error) {
    // A page of a proxy, or a response that broke off.
    if (error instanceof SyntaxError || error instanceof TypeError) throw new Refused(response.status, ODD);
    throw error;
  }
}

/**
 * Returns the JSON of the response; throws `Refused`.
 * @param {string} method
 * @param {string} path
 * @param {Parameters<typeof ask>[2]} [options]
 * @returns {Promise<any>}
 */
export async function call(method, path, options) {
  return bodyOf(await answered(method, path, options));
}

/**
 * Returns a page of a list, and the cursor of the next page.
 * @param {string} path @param {Parameters<typeof ask>[2]} options
 * @returns {Promise<{ body: any, next: string | null }>}
 */
export async function callList(path, options) {
  const response = await answered('GET', path, options);
  return { body: await bodyOf(response), next: response.headers.get('x-next-cursor') };
}

/** @param {string} path @param {AbortSignal} signal @returns {Promise<Blob>} */
export const callBytes = async (path, signal) => (await answered('GET', path, { signal })).blob();

/**
 * Calls without renewing the session; for the sign-in itself.
 * @param {string} method @param {string} path @param {unknown} [body]
 */
export async function callPlainly(method, path, body) {
  const response = await ask(method, path, { body, anySession: method === 'GET' });
  if (!response.ok) throw await refusalOf(response);
  return bodyOf(response);
}
