export { MASTER_KEY_VARIABLES, masterKeyFrom } from './given-master-key';
export type { KeyRing } from './key-ring';
export { keyRing, rewrapped } from './key-ring';
export { kmsMasterKey } from './kms-master-key';
export type { MasterKey } from './master-key';
export { KEY_BYTES, localMasterKey } from './master-key';
export type { PersonKeys } from './person-keys';
export { createPersonalData } from './personal-data';
export { existingSecret, secretFile } from './secret-file';
