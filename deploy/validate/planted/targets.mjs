// The objects of a release into which mistakes are planted.
import { ofKind } from '../objects.mjs';

export const one = (documents, kind) => ofKind(documents, kind)[0];
export const pod = (documents) => one(documents, 'Deployment').spec.template.spec;
export const container = (documents) => pod(documents).containers[0];
export const policy = (documents) => one(documents, 'NetworkPolicy').spec;
