import { Aggregates } from '@ponte/event-sourcing';
import type { MovementsSettings } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { WalletAddresses } from './wallet-addresses.read-model';

/** A list of wallets whose projector has stopped before the end of the log. `read` is called for each check. */
function listBehind(read: () => void = () => undefined) {
  const checkpoints = {
    load: async () => {
      read();
      return 'one';
    },
  };
  const store = { head: async () => 'two', comparePositions: (a: string, b: string) => (a === b ? 0 : -1) };
  return new WalletAddresses(
    {} as never,
    checkpoints as never,
    store as never,
    Object.create(Aggregates.prototype) as Aggregates,
    {} as Signer,
    {} as MovementsSettings,
  );
}

afterEach(() => void jest.useRealTimers());

describe('the list of wallets, while it is behind the log', () => {
  it('is not waited for by a process that stops, so that deposits do not delay its end', async () => {
    const stopping = new AbortController();
    let checks = 0;
    const addresses = listBehind(() => {
      checks += 1;
      if (checks === 2) stopping.abort();
    });
    await addresses.catchUp(stopping.signal);
    expect(checks).toBe(2);
  });

  it('makes the round fail, so that no deposit to a missing wallet is skipped', async () => {
    jest.useFakeTimers();
    const failed = expect(listBehind().catchUp(new AbortController().signal)).rejects.toThrow('is behind the log');
    await jest.advanceTimersByTimeAsync(60_000);
    await failed;
  });
});
