import { createHmac } from 'node:crypto';
import { keyIdOfBearer } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { findErrorDefinition } from '../errors/catalogue';
import { derivedKeyMaker } from './derived.key-maker.adapter';

const fingerprint = (kind: string, value: string) =>
  createHmac('sha256', 'pepper')
    .update(kind + value)
    .digest('hex');

describe('the secret of a bearer key', () => {
  it('contains the key id in the sandbox', () => {
    const keys = derivedKeyMaker('sandbox', { fingerprint });
    const keyId = keys.keyId('command');
    expect(keyIdOfBearer(keys.bearerSecret(keyId, 'command'))).toBe(keyId);
  });

  it('differs for each command and for each installation, as the id does', () => {
    const made = (command: string, installation = '') => {
      const keys = derivedKeyMaker('sandbox', {
        fingerprint: (kind, value) => fingerprint(kind, value + installation),
      });
      const keyId = keys.keyId(command);
      return [keyId, keys.bearerSecret(keyId, command).slice(-43)];
    };
    expect(made('one')).toEqual(made('one'));
    expect(new Set([...made('one'), ...made('two'), ...made('one', 'other')]).size).toBe(6);
  });

  it('contains no bytes of the id, which is public', () => {
    const keys = derivedKeyMaker('sandbox', { fingerprint });
    const keyId = keys.keyId('command');
    const secret = Buffer.from(keys.bearerSecret(keyId, 'command').slice(-43), 'base64url').toString('hex');
    expect(secret).toHaveLength(64);
    expect(secret).not.toContain(keyId.slice('ak_test_'.length));
  });

  it('is refused in production with 422, at the field that requests it', () => {
    const keys = derivedKeyMaker('production', { fingerprint });
    const make = () => keys.bearerSecret(keys.keyId('command'), 'command');
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
