/** Timeout of one request to a node on this machine. Deploying the contracts takes about 50 ms. */
const TIMEOUT_MS = 5_000;

interface NodeCall {
  readonly method: string;
  readonly params?: readonly unknown[];
}

/**
 * Sends several calls to the local node in one request. They are executed in order. Rejects with an Error that names
 * the method of the first call that failed.
 */
export async function askNode(url: string, calls: readonly NodeCall[]): Promise<unknown[]> {
  const body = calls.map(({ method, params = [] }, id) => ({ jsonrpc: '2.0', id, method, params }));
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answers = (await response.json()) as ReadonlyArray<{
    id: number;
    result?: unknown;
    error?: { message?: string };
  }>;
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return calls.map(({ method }, id) => {
    const answer = byId.get(id);
    if (answer === undefined || answer.error !== undefined)
      throw new Error(`${method}: ${answer?.error?.message ?? 'no response'}`);
    return answer.result;
  });
}

/** Sends one request to a node and returns its result, unchecked. {@link askNode} sends several at once. */
export async function askNodeOne(url: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const [answer] = await askNode(url, [{ method, params }]);
  return answer;
}
