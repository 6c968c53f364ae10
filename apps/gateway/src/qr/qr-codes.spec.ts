import { setImmediate as nextTurn } from 'node:timers/promises';
import { QrCodes } from './qr-codes';

describe('the images of a list of codes', () => {
  it('are drawn one in each turn of the event loop, however many lists are requested, and the same as alone', async () => {
    const codes = new QrCodes();
    const list = async (name: string) => {
      const images: string[] = [];
      for (const at of [1, 2, 3]) images.push(await codes.pngBase64OfList(`${name}${at}`));
      drawn += 3;
      return images;
    };
    let drawn = 0;
    const lists = Promise.all(['a', 'b', 'c'].map(list));
    let turns = 0;
    while (drawn < 9) {
      await nextTurn();
      turns += 1;
    }
    expect(turns).toBeGreaterThanOrEqual(9);
    expect((await lists)[1]).toEqual([1, 2, 3].map((at) => new QrCodes().pngBase64(`b${at}`)));
  });

  it('are returned at once if they were drawn before', async () => {
    const codes = new QrCodes();
    const image = codes.pngBase64('a');
    let isFirst = true;
    void nextTurn().then(() => {
      isFirst = false;
    });
    expect([await codes.pngBase64OfList('a'), isFirst]).toEqual([image, true]);
  });
});
