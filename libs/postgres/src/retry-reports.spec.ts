import { Postgres } from './postgres';

it('the pool reports statements that are retried for the same reason once, and later the number of repetitions', async () => {
  const logger = { warn: jest.fn(), error: jest.fn() };
  const postgres = await Postgres.open({ url: 'postgres://ponte@127.0.0.1:1/none', schema: 'ponte', logger });
  const statement = (code: string) => {
    const work = jest
      .fn()
      .mockResolvedValue('done')
      .mockRejectedValueOnce(Object.assign(new Error('lost'), { code }));
    return postgres.retry(60_000, work as () => Promise<string>, () => true);
  };
  expect(await Promise.all(['57P01', '57P01', '57P01', '40001'].map(statement))).toEqual(Array(4).fill('done'));
  expect(logger.warn.mock.calls).toEqual(
    ['57P01', '40001'].map((reason) => [{ reason, tries: 1 }, 'a statement failed; it will be retried']),
  );
  await postgres.close();
});
