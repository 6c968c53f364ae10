const { oneAtATime } = jest.requireActual<{ oneAtATime: (run: () => Promise<unknown>) => () => Promise<void> }>(
  '../../../console/shell/one-at-a-time.js',
);

describe('an action of a button in the console', () => {
  it('is not taken again while it runs, and can be taken again after it ended or failed', async () => {
    const ends: ((error?: Error) => void)[] = [];
    const act = oneAtATime(
      () => new Promise<void>((resolve, reject) => void ends.push((error) => (error ? reject(error) : resolve()))),
    );
    const first = act();
    await act();
    expect(ends).toHaveLength(1);
    ends[0]?.(new Error('no answer'));
    await expect(first).rejects.toThrow('no answer');
    const second = act();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await second;
  });
});
