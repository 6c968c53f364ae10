import { MemoryEventStore, MemoryLog, eventually, temporaryFolder } from '@ponte/testing';
import { CertificatesUnderTest, OTHER } from '../testing/certificates-under-test';
import { codeOf, simulatedChains } from '../testing/simulated-chains';

const ROUNDS = 100;
const AT_ONCE = 64;

it(`exactly one of ${AT_ONCE} parallel transfers gets a certificate, in ${ROUNDS} rounds`, async () => {
  const folder = temporaryFolder();
  const log = new MemoryLog();
  const events = () => log.slice(0, log.length);
  const movements = await CertificatesUnderTest.start({
    folder: folder.path,
    open: simulatedChains().open,
    store: new MemoryEventStore({ log }),
    events,
  });
  try {
    const target = await movements.wallet(OTHER);
    for (let round = 0; round < ROUNDS; round += 1) {
      const certificate = await movements.minted();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () => codeOf(movements.transfer(certificate, target))),
      );
      const won = answers.filter((one) => one === 'accepted').length;
      expect([won, new Set(answers)]).toEqual([1, new Set(['accepted', 'certificate-not-owned'])]);
    }
    await eventually(() => expect(movements.ofType('NftTransferCompleted')).toHaveLength(ROUNDS));
    expect([movements.ofType('NftTransferCreated').length, movements.ofType('NftTransferFailed').length]).toEqual([
      ROUNDS,
      0,
    ]);
  } finally {
    await movements.stop();
    folder.remove();
  }
});
