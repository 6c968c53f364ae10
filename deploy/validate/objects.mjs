// Small questions about rendered objects, which several policies ask.

export const ofKind = (documents, ...kinds) => documents.filter(({ kind }) => kinds.includes(kind));

/** Pod specs with the object they stand in. */
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

/** Whether a selector chooses labels. An absent one chooses nothing here. */
export const selects = (selector, labels) =>
  selector?.matchLabels !== undefined &&
  Object.entries(selector.matchLabels).every(([name, value]) => labels[name] === value);

/** The service of a release: the one Deployment, or undefined. */
export const deployment = (documents) => ofKind(documents, 'Deployment')[0];

export const configOf = (documents) =>
  Object.assign(
    {},
    ...ofKind(documents, 'ConfigMap')
      .filter(({ metadata }) => metadata.name === deployment(documents)?.metadata.name)
      .map(({ data }) => data),
  );
