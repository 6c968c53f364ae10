import { derivedId } from '@ponte/kernel';

export const HOLDER_CPF = '52998224725';
export const STRANGER_CPF = '11144477735';
export const HOLDER_NAME = 'Quitéria Canarinho Zymberg';
export const ACCOUNT = derivedId('test', 'account');
export const PARENT = derivedId('test', 'parent');
export const START = '2026-11-20T12:00:00.000Z';
