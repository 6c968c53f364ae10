import 'reflect-metadata';
import { eventually } from '@ponte/testing';
import { connect } from 'node:net';
import { Admission } from '../../load-shedding/admission.service';
import { UploadBudget } from '../../load-shedding/upload-budget';
import { FILES, gateway, key, KYC, post, useTestGateway } from '../onboarding/testing/onboarding-requests';
import { file, form, purpose } from './testing/uploads';

useTestGateway();

describe('the upload route', () => {
  it('accepts 10 MB and releases the reserved memory afterwards, even when the client disconnects', async () => {
    const budget = gateway.app.get(UploadBudget);
    const holds = (bytes: number) => eventually(() => expect(budget.bytes).toBe(bytes));
    await holds(0);
    const jpeg = Buffer.concat([
      Buffer.from('ffd8ffc0000b080001000101011100ffda0008010100003f00', 'hex'),
      Buffer.alloc(10_000_000 - 27, 1),
      Buffer.from('ffd9', 'hex'),
    ]);
    expect((await form([file(jpeg), purpose])).json()).toMatchObject({
      file: { 'content-type': 'image/jpeg', 'size-bytes': 10_000_000 },
    });
    await holds(0);
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      `POST ${FILES} HTTP/1.1\r\nHost: a\r\nAuthorization: ${key.authorization}\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n\r\n{"`,
    );
    await holds(5_000_000);
    socket.destroy();
    await holds(0);
  });

  it('holds a request slot, but its duration does not change the number of slots', async () => {
    const taken = jest.spyOn(gateway.app.get(Admission), 'enter');
    await form([file(Buffer.from('not a picture')), purpose]);
    await post(KYC, {});
    expect(taken.mock.calls.map(([{ learns }]) => learns)).toEqual([false, true]);
  });
});

describe('the memory for uploads', () => {
  const MB = 1024 * 1024;

  it('is bounded in total and per account, and a missing or invalid length counts as the largest', () => {
    const budget = new UploadBudget();
    const first = budget.take('a', 100 * MB, 14 * MB);
    expect([first !== undefined, budget.bytes]).toEqual([true, 14 * MB]);
    expect(
      Array.from({ length: 9 }, () => budget.take('a', NaN, 14 * MB)).filter((one) => one !== undefined),
    ).toHaveLength(1);
    expect(budget.take('b', 14 * MB, 14 * MB)).toBeDefined();
    first?.release();
    first?.release();
    expect(budget.bytes).toBe(2 * 14 * MB);
    expect(budget.take('a', 10, 14 * MB)).toBeDefined();
  });
});
