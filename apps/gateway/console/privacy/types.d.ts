import type { ViewEntry } from '../types';

export interface PrivacyReport {
  'subject-id': string;
  status: 'held' | 'restricted' | 'erased';
  holdings: {
    kind: string;
    id: string;
    role: string;
    categories: string[];
    purpose: string;
    'legal-basis': string;
    since: string;
    'retained-until': string | null;
  }[];
  views: (ViewEntry & { 'account-request-id': string | null })[];
}
export interface ErasurePreparation {
  token: string;
  'confirm-with': string;
  'expires-at': string;
  'subject-id': string;
  status: string;
  outcome: 'erased' | 'restricted';
  'retained-until': string | null;
}
