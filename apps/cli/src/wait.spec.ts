import { EXIT } from './failures';
import { waitFor } from './wait';

const { signal } = new AbortController();

describe('waitFor', () => {
  it('ends with an exit code of its own and names what it waited for', async () => {
    const waiting = waitFor(
      'the order o1 to end',
      async () => 'created',
      (state) => state === 'completed',
      signal,
      0,
    );
    await expect(waiting).rejects.toMatchObject({
      code: 'timeout',
      exit: EXIT.waitedTooLong,
      message: 'Waited 0 s for the order o1 to end.',
    });
  });

  it('reads again until it is done', async () => {
    const states = ['created', 'processing', 'completed'];
    const read = async () => states.shift();
    expect(await waitFor('the order', read, (state) => state === 'completed', signal)).toBe('completed');
  });
});
