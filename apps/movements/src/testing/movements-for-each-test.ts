import { temporaryFolder } from '@ponte/testing';
import type { Setup } from './movements-under-test';
import { MovementsUnderTest } from './movements-under-test';

/** Services for the tests of a file. Each test has its own folder, and its services stop when it ends. */
interface MovementsForEachTest {
  /** The folder of the current test. */
  readonly folder: string;
  open(setup?: Setup): MovementsUnderTest;
}

export function movementsForEachTest(): MovementsForEachTest {
  let folder: ReturnType<typeof temporaryFolder>;
  let opened: MovementsUnderTest[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await Promise.all(opened.map((movements) => movements.stop()));
    opened = [];
    folder.remove();
  });
  return {
    get folder() {
      return folder.path;
    },
    open(setup) {
      const movements = new MovementsUnderTest(folder.path, setup);
      opened.push(movements);
      return movements;
    },
  };
}
