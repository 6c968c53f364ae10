import { setTimeout as wait } from 'node:timers/promises';

export type Json = Readonly<Record<string, unknown>>;

/** The API client of a partner's backend, which needs only an address and a key. */
export interface PartnerClient {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: Json, headers?: Readonly<Record<string, string>>): Promise<T>;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`HTTP ${status}: ${JSON.stringify(body)}`);
  }
}

export function createPartnerClient(baseUrl: string, apiKey: string): PartnerClient {
  async function call<T>(
    method: string,
    path: string,
    body?: Json,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new ApiError(response.status, answer);
    return answer as T;
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
  };
}

const POLL_MS = 100;
const PATIENCE_MS = 60_000;

/**
 * Polls until `requested` holds. Orders are executed asynchronously, so a client either polls or waits for a webhook.
 */
export async function until<T>(what: string, ask: () => Promise<T>, requested: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (requested(answer)) return answer;
    if (Date.now() > end) throw new Error(`gave up waiting for ${what}: ${JSON.stringify(answer)}`);
    await wait(POLL_MS);
  }
}
