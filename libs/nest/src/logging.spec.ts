import { createLogger } from './logging';

const KEY = 'key-4711';

/** What is logged for an error. */
function logged(error: unknown): { line: string; err: Record<string, unknown> } {
  const lines: string[] = [];
  createLogger('test', 'info', undefined, { write: (line) => void lines.push(line) }).error({ err: error }, 'failed');
  const [line = ''] = lines;
  return { line, err: (JSON.parse(line) as { err: Record<string, unknown> }).err };
}

describe('a logged error', () => {
  it.each([
    [`https://node.example/v2/${KEY}`, 'https://node.example/***'],
    [`wss://node.example:8546?key=${KEY}`, 'wss://node.example:8546/***'],
    [`esdb://admin:${KEY}@db.example:2113?tls=true`, 'esdb://db.example:2113/***'],
    [`https://user:${KEY}@[`, 'https://***'],
    ['https://node.example', 'https://node.example/***'],
  ])('shows of the URL %s only %s', (url, shown) => {
    const cause = new Error(`Could not connect.\nURL: ${url}\nDetails: fetch failed`);
    const error = Object.assign(new Error('The request failed.', { cause }), {
      code: 'ECONNREFUSED',
      url,
      body: [url],
    });
    const { line, err } = logged(error);
    expect(line).not.toContain(KEY);
    expect(err).toMatchObject({ type: 'Error', code: 'ECONNREFUSED' });
    expect(err['message']).toBe(`The request failed.: Could not connect.\nURL: ${shown}\nDetails: fetch failed`);
    expect(err['stack']).toContain('logging.spec.ts');
    expect(Object.keys(err).sort()).toEqual(['code', 'message', 'stack', 'type']);
  });

  it('is anything that is thrown', () => {
    expect(logged(new TypeError('no code')).err).toMatchObject({ type: 'TypeError', message: 'no code' });
    expect(logged('text').err).toBe('text');
    expect(logged(undefined).line).toContain('failed');
  });
});
