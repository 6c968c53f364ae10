export { MASTER_KEY_VARIABLES, masterKeyFrom } from './given-master-key';
export type { KeyRing } from './key-ring';
export { keyRing, rewrapped } from './key-ring';
export { kmsMasterKey } from './kms-master-key';
export type { PersonKeys } from './person-keys';
export type { MasterKey } from './personal-data';
export { createPersonalData, KEY_BYTES, localMasterKey } from './personal-data';
export { existingSecret, secretFile } from './secret-file';
