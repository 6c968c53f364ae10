// Helpers of the policies for rendered objects.

export const ofKind = (documents, ...kinds) => documents.filter(({ kind }) => kinds.includes(kind));

/** Pod specs, each with its object. */
export const pods = (documents) =>
  ofKind(documents, 'Deployment', 'Job').map((owner) => ({
    owner,
    labels: owner.spec.template.metadata?.labels ?? {},
    spec: owner.spec.template.spec,
  }));

export const containers = (documents) =>
  pods(documents).flatMap(({ owner, spec }) =>
    [...(spec.initContainers ?? []), ...spec.containers].map((container) => ({ owner, spec, container })),
  );

/** Whether a selector matches labels. A missing selector matches nothing here. */
export const selects = (selector, labels) =>
  selector?.matchLabels !== undefined &&
  Object.entries(selector.matchLabels).every(([name, value]) => labels[name] === value);

/** The Deployment of a release's service, or undefined. */
export const deployment = (documents) => ofKind(documents, 'Deployment')[0];

export const configOf = (documents) =>
  Object.assign(
    {},
    ...ofKind(documents, 'ConfigMap')
      .filter(({ metadata }) => metadata.name === deployment(documents)?.metadata.name)
      .map(({ data }) => data),
  );

/** What a policy wanted, if it does not hold. */
export function unless(holds, wanted) {
  return holds ? [] : [wanted];
}
