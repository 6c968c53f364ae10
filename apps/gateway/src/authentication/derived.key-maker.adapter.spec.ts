import { keyIdOfBearer } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { findErrorDefinition } from '../errors/catalogue';
import { randomKeyMaker } from './random.key-maker.adapter';

describe('the secret of a bearer key', () => {
  it('contains the key id in the sandbox', () => {
    const keys = randomKeyMaker('sandbox');
    const keyId = keys.keyId();
    expect(keyIdOfBearer(keys.bearerSecret(keyId))).toBe(keyId);
  });

  it('is refused in production with 422, at the member that requests it', () => {
    const keys = randomKeyMaker('production');
    const make = () => keys.bearerSecret(keys.keyId());
    expect(make).toThrow(Refusal);
    let refusal: unknown;
    try {
      make();
    } catch (error) {
      refusal = error;
    }
    expect(
      (refusal as Refusal).violations.map(({ code, path }) => `${findErrorDefinition(code)?.status} ${code} ${path}`),
    ).toEqual(['422 bearer-key-not-allowed bearer']);
  });
});
