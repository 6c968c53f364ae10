import { ofType, readLog } from '../../testing/trial-balance';
import type { Program } from '../../testing/program';

/** The number of wallets in a ready sandbox: four accounts with a wallet on each of three chains. */
const READY_WALLETS = 12;
const MAX_STARTS = 5;

/** Prepares the folder of a sandbox that has nothing left to do, so that a failpoint counts only later events. */
export async function readyFolder(program: Program): Promise<string> {
  const folder = program.dataFolder();
  for (let starts = 0; starts < MAX_STARTS; starts += 1) {
    const running = await program.start(folder);
    await running.stop();
    const log = await readLog(folder);
    const reserved = ofType<{ kind: string }>(log, 'ReservationClaimed').filter(({ data }) => data.kind === 'wallet');
    if (ofType(log, 'WalletCreated').length === READY_WALLETS && reserved.length === READY_WALLETS) return folder;
  }
  throw new Error('the wallets of the sandbox were not all created and reserved');
}
