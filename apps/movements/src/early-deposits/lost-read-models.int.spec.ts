import 'reflect-metadata';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { rm } from 'node:fs/promises';
import { Outsider, SLOW_FINALITY, arrivals, finals, walletsOf } from '../testing/deposits-under-test';
import {
  BEYOND_THE_OVERLAP,
  CHAIN,
  addressBefore,
  behindNode,
  checksIn,
  createWallet,
} from '../testing/early-deposits-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';

const ALL = 3;
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
/** The number of recipients in each request for logs: the scan names all wallets, a search only some. */
let recipients: (number | undefined)[];

beforeEach(async () => {
  folder = temporaryFolder();
  recipients = [];
  movements = await new MovementsUnderTest(folder.path, {
    ...SLOW_FINALITY,
    forget: false,
    serve: (chain) =>
      behindNode(chain, (node) => ({
        transferLogs: async (from, to, of) => {
          if (chain.chain === CHAIN) recipients.push(of?.length);
          return node.transferLogs(from, to, of);
        },
      })),
  }).start();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

const checked = () => eventually(async () => expect(await checksIn(movements, 'done')).toBe(ALL));

it('blocks that the scan reads again after the read models are lost are not searched a second time', async () => {
  const outsider = new Outsider(movements.base);
  await walletsOf(movements, derivedId('account', 'other'));
  await createWallet(movements, 'a');
  await createWallet(movements, 'b');
  await checked();
  await outsider.send(addressBefore(movements.base, 'a'), 1n);
  await outsider.send(addressBefore(movements.base, 'b'), 2n);
  movements.base.mine(BEYOND_THE_OVERLAP);
  await eventually(() => expect(finals(movements)).toHaveLength(2));
  await movements.stop();
  for (const ending of ['', '-wal', '-shm']) await rm(`${folder.path}/read-models.db${ending}`, { force: true });
  recipients.length = 0;
  await movements.start();
  await checked();
  expect(new Set(recipients)).toEqual(new Set([ALL]));
  expect(arrivals(movements)).toHaveLength(2);
});
