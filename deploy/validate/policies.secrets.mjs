// Policies for secrets: only by reference, separate for each service, and the same keys for all replicas of a service.
import { containers, deployment, ofKind, pods } from './objects.mjs';

const SECRET_NAME = /(PASSWORD|PASSPHRASE|SECRET|AUTHORIZATION|TOKEN(?!_URL$)|MASTER_KEY$|_KEY$)/;
const SECRET_VALUE = /:\/\/[^/\s:@]+:[^/\s@]+@|-----BEGIN|"secret-access-key"/;

/** Files in the data folder that each replica would create for itself if they were not mounted. */
const SHARED_FILES = { movements: ['keystore.json'], gateway: ['staff-token.sha256'] };

export const SECRETS = {
  'no secret is in clear text': (documents) =>
    [
      ...ofKind(documents, 'ConfigMap').flatMap(({ data = {} }) => Object.entries(data)),
      ...containers(documents).flatMap(({ container: { env = [] } }) =>
        env.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
      ),
    ]
      .filter(
        ([name, value]) => (SECRET_NAME.test(name) && !value.startsWith('/run/secrets/')) || SECRET_VALUE.test(value),
      )
      .map(([name]) => `${name} is in clear text`)
      .concat(
        ofKind(documents, 'Secret').map(
          () => 'a Secret must be created by the External Secrets operator, not by a manifest',
        ),
      ),

  'a service reads only its own secret and fetched keys': (documents, all) => {
    const own = deployment(documents)?.metadata.name;
    const fetched = ofKind(all, 'ExternalSecret').find(({ spec }) => spec.target.name === own);
    const wanted = [
      ...containers(documents).flatMap(({ container: { env = [] } }) =>
        env.flatMap(({ valueFrom }) => (valueFrom?.secretKeyRef ? [valueFrom.secretKeyRef] : [])),
      ),
      ...pods(documents).flatMap(({ spec: { volumes = [] } }) =>
        volumes.flatMap(({ secret }) =>
          secret ? (secret.items ?? [{ key: 'all of them' }]).map(({ key }) => ({ name: secret.secretName, key })) : [],
        ),
      ),
      ...ofKind(documents, 'TriggerAuthentication').flatMap(({ spec }) => spec.secretTargetRef),
    ];
    const keys = fetched?.spec.data.map(({ secretKey }) => secretKey) ?? [];
    return [
      ...wanted.filter(({ name }) => name !== own).map(({ name, key }) => `${key} is read from ${name}`),
      ...wanted.filter(({ key }) => !keys.includes(key)).map(({ key }) => `${key} is not fetched`),
      ...keys.filter((key) => !wanted.some((one) => one.key === key)).map((key) => `${key} is fetched but not used`),
    ];
  },

  'a file that all replicas must share comes from the secret': (documents) =>
    ofKind(documents, 'Deployment')
      .flatMap(({ spec }) => spec.template.spec.containers)
      .flatMap(({ name, volumeMounts }) =>
        (SHARED_FILES[name] ?? [])
          .filter(
            (file) =>
              !volumeMounts.some(
                ({ mountPath, subPath, readOnly }) =>
                  mountPath === `/var/lib/ponte/${file}` && subPath === file && readOnly,
              ),
          )
          .map((file) => `${file} would be created by each pod separately`),
      ),

  'a mounted secret is readable only by the process': (documents) =>
    pods(documents).flatMap(({ spec: { volumes = [] } }) =>
      volumes
        .filter(({ secret }) => secret && (secret.defaultMode === undefined || (secret.defaultMode & 0o337) !== 0))
        .map(({ name }) => `the mode of ${name} is too open`),
    ),
};
