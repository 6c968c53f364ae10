// The user and the certificate that a secured broker accepts.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The user and the certificate of the broker, created once for a data folder. */
export function secrets(data) {
  const [file, store, certificate] = ['secured.json', 'broker.p12', 'broker.pem'].map((name) => join(data, name));
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = {
    username: 'ponte',
    password: randomBytes(18).toString('base64url'),
    storePassword: randomBytes(18).toString('base64url'),
    store,
    certificate,
  };
  const keytool = (...args) => {
    const { status } = spawnSync(
      'keytool',
      [...args, '-alias', 'broker', '-keystore', store, '-storetype', 'PKCS12', '-storepass', made.storePassword],
      { stdio: 'ignore' },
    );
    if (status !== 0) throw new Error('keytool could not create a certificate');
  };
  keytool(
    '-genkeypair',
    '-keyalg',
    'EC',
    '-groupname',
    'secp256r1',
    '-validity',
    '3650',
    '-dname',
    'CN=kafka-local',
    '-ext',
    'SAN=ip:127.0.0.1,dns:localhost',
  );
  keytool('-exportcert', '-rfc', '-file', certificate);
  writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}
