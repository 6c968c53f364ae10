import { describeSnapshots } from '../contracts/snapshots.contract';
import { MemorySnapshots } from './snapshots';

describeSnapshots('memory', async () => {
  const snapshots = new MemorySnapshots();
  return { snapshots, reopen: async () => snapshots, cleanUp: async () => undefined };
});
