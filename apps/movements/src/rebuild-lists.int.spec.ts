import { CreateTransfer } from '@ponte/contracts';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { derivedId } from '@ponte/kernel';
import {
  MemoryEventStore,
  MemoryLog,
  eventually,
  freshId,
  rebuiltRows,
  shownRows,
  temporaryFolder,
} from '@ponte/testing';
import { MOVEMENTS_REBUILDABLE } from './movements.read-models';
import { CertificatesUnderTest, OTHER, OWNER } from './testing/certificates-under-test';
import { simulatedChains } from './testing/simulated-chains';

const LISTS = ['transfers', 'wallets', 'reward_certificates', 'nft_transfers', 'incoming_blocks'];

describe('the lists of movements', () => {
  it('have the same rows after a rebuild as after the commands', async () => {
    const folder = temporaryFolder();
    const log = new MemoryLog();
    const store = new MemoryEventStore({ log });
    const events = () => log.slice(0, log.length);
    const { open } = simulatedChains();
    const movements = await CertificatesUnderTest.start({ folder: folder.path, open, store, events });
    await movements.minted();
    const sourceAddress = await movements.wallet(OWNER);
    const targetAddress = await movements.wallet(OTHER);
    const request = {
      transferId: derivedId('transfer', freshId()),
      callerAccountId: OWNER,
      accountId: OWNER,
      asset: 'eth-base/brlv' as const,
      amount: '1',
      externalId: null,
      bodyHash: 'body',
      sourceAddress,
      targetAddress,
    };
    await eventually(() => movements.bus.request(CreateTransfer, request, movements.context()));
    const readModels = MOVEMENTS_REBUILDABLE.filter(({ tables }) => tables.some((table) => LISTS.includes(table)));
    await eventually(async () => {
      const shown = await shownRows(movements.readModels, LISTS);
      expect(['transfers', 'wallets', 'reward_certificates'].map((table) => shown[table]?.length)).not.toContain(0);
      const db = openSqliteReadModels<unknown>(':memory:');
      expect(await rebuiltRows(readModels, db, store)).toEqual(shown);
      await db.destroy();
    });
    await movements.stop();
    folder.remove();
  });
});
