import { Session } from './session';

describe('the account of a session', () => {
  const session = (env: Record<string, string>) =>
    new Session(
      {
        env: { PONTE_CONFIG_DIR: '/does-not-exist', ...env },
        out: fail,
        err: fail,
        signal: new AbortController().signal,
      },
      {},
    );
  const fail = () => expect('no output').toBe('printed');

  it('requires a sign-in before it requires an account', () => {
    expect(() => session({}).accountId).toThrow('You are not signed in.');
    const key = { PONTE_API_KEY: 'sk_test_1', PONTE_BASE_URL: 'http://127.0.0.1:3000' };
    expect(() => session(key).accountId).toThrow('An account is required.');
    expect(session({ ...key, PONTE_ACCOUNT_ID: 'a' }).accountId).toBe('a');
  });
});
