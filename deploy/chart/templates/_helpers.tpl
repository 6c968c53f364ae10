{{- define "ponte.fullname" -}}
{{- required "service is the name of the service" .Values.service | printf "ponte-%s" -}}
{{- end }}

{{- define "ponte.selector" -}}
app.kubernetes.io/name: {{ include "ponte.fullname" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ponte.labels" -}}
{{ include "ponte.selector" . }}
app.kubernetes.io/component: {{ .Values.service }}
app.kubernetes.io/part-of: ponte
app.kubernetes.io/version: {{ include "ponte.version" . | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* The tag, or the beginning of the digest, because an image with a digest ignores the tag. */}}
{{- define "ponte.version" -}}
{{- if .Values.image.digest -}}
sha256-{{ .Values.image.digest | trimPrefix "sha256:" | trunc 12 }}
{{- else -}}
{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "ponte.image" -}}
{{- if eq .Values.image.tag "latest" }}{{ fail "image.tag: latest is not a version" }}{{ end -}}
{{- if and .Values.image.requireDigest (not .Values.image.digest) }}{{ fail "image.digest: a tag alone is refused, since it can be moved to another image" }}{{ end -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}/{{ .Values.service }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}/{{ .Values.service }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "ponte.secret" -}}
{{- .Values.secrets.name | default (include "ponte.fullname" .) -}}
{{- end }}

{{/* Variables that the chart sets itself. Those set by an operator are in the ConfigMap. */}}
{{- define "ponte.environment" -}}
- name: MANAGEMENT_PORT
  value: {{ .Values.ports.management | quote }}
- name: MANAGEMENT_HOST
  value: 0.0.0.0
# A container that restarts in its pod immediately takes over what its predecessor held.
- name: PONTE_INSTANCE
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
{{- if .Values.ports.http }}
- name: PORT
  value: {{ .Values.ports.http | quote }}
{{- end }}
{{- if .Values.ports.callbacks }}
- name: {{ ternary "LEDGER_PIX_CALLBACK_LISTEN" "VENDOR_CALLBACKS_LISTEN" (eq .Values.service "ledger") }}
  value: {{ printf "0.0.0.0:%d" (int .Values.ports.callbacks) }}
{{- end }}
{{- range .Values.secrets.own }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ include "ponte.secret" $ }}
      key: {{ . }}
{{- end }}
{{ include "ponte.engines" . }}
{{- end }}

{{/* The variables for access to the engines, for every process. A migration gets only these. */}}
{{- define "ponte.engines" -}}
- name: NODE_OPTIONS
  value: {{ printf "--max-old-space-size=%d" (div (mul (int .Values.resources.memoryMi) 7) 10) | list | concat .Values.nodeOptions | join " " | quote }}
- name: PONTE_DATA_DIR
  value: /var/lib/ponte
{{- range .Values.secrets.env }}
- name: {{ . }}
  valueFrom:
    secretKeyRef:
      name: {{ include "ponte.secret" $ }}
      key: {{ . }}
{{- end }}
{{- range $name, $key := .Values.secrets.files }}
- name: {{ $name }}
  value: /run/secrets/ponte/{{ $key }}
{{- end }}
{{- end }}

{{- define "ponte.fileData" -}}
{{- range $name, $content := .Values.files }}
{{ $name }}: {{ $content | quote }}
{{- end }}
{{- end }}

{{- define "ponte.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "ponte.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* The mounts of every process and of its migration. */}}
{{- define "ponte.engineMounts" -}}
- name: data
  mountPath: /var/lib/ponte
- name: tmp
  mountPath: /tmp
{{- if .Values.secrets.files }}
- name: secrets
  mountPath: /run/secrets/ponte
  readOnly: true
{{- end }}
{{- if .Values.files }}
- name: files
  mountPath: /etc/ponte/files
  readOnly: true
{{- end }}
{{- end }}

{{- define "ponte.mounts" -}}
{{ include "ponte.engineMounts" . }}
{{- range $file, $key := .Values.secrets.dataFiles }}
- name: data-secrets
  mountPath: /var/lib/ponte/{{ $file }}
  subPath: {{ $file }}
  readOnly: true
{{- end }}
{{- range $name, $claim := .Values.claims }}
- name: {{ $name }}
  mountPath: {{ $claim.path }}
  readOnly: true
{{- end }}
{{- end }}

{{- define "ponte.scratchData" -}}
- name: data
  emptyDir:
    sizeLimit: 256Mi
{{- end }}

{{- define "ponte.engineVolumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- if .Values.secrets.files }}
- name: secrets
  secret:
    secretName: {{ include "ponte.secret" . }}
    # 0440 in decimal, because YAML parsers treat octals differently.
    defaultMode: 288
    items:
      {{- range $name, $key := .Values.secrets.files }}
      - key: {{ $key }}
        path: {{ $key }}
      {{- end }}
{{- end }}
{{- end }}

{{- define "ponte.volumes" -}}
{{- if include "ponte.simulatesBank" . -}}
- name: data
  persistentVolumeClaim:
    claimName: {{ .Values.simulatedBank.claim }}
{{- else -}}
{{ include "ponte.scratchData" . }}
{{- end }}
{{ include "ponte.engineVolumes" . }}
{{- if .Values.files }}
- name: files
  configMap:
    name: {{ include "ponte.fullname" . }}-files
{{- end }}
{{- if .Values.secrets.dataFiles }}
- name: data-secrets
  secret:
    secretName: {{ include "ponte.secret" . }}
    # 0440 in decimal, because YAML parsers treat octals differently.
    defaultMode: 288
    items:
      {{- range $file, $key := .Values.secrets.dataFiles }}
      - key: {{ $key }}
        path: {{ $file }}
      {{- end }}
{{- end }}
{{- range $name, $claim := .Values.claims }}
- name: {{ $name }}
  persistentVolumeClaim:
    claimName: {{ $claim.claim }}
    readOnly: true
{{- end }}
{{- end }}

{{/* The location of a peer: pods of a namespace, or addresses outside of the cluster. */}}
{{- define "ponte.peer" -}}
{{- if .cidrs }}
{{- range .cidrs }}
- ipBlock:
    cidr: {{ . }}
{{- end }}
{{- else }}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{ .namespace }}
  podSelector:
    {{- if .podLabels }}
    matchLabels: {{- toYaml .podLabels | nindent 6 }}
    {{- else }} {}{{ end }}
{{- end }}
{{- end }}

{{- define "ponte.dns" -}}
- to:
    - namespaceSelector:
        matchLabels:
          kubernetes.io/metadata.name: kube-system
      podSelector:
        matchLabels:
          k8s-app: kube-dns
  ports:
    - {port: 53, protocol: UDP}
    - {port: 53, protocol: TCP}
{{- end }}

{{/* The settings of each controller for the largest body and for buffering in both directions. For "other" the installation sets annotations. */}}
{{- define "ponte.ingressAnnotations" -}}
{{- if eq .ingress.controller "nginx" -}}
nginx.ingress.kubernetes.io/proxy-body-size: {{ int64 .ingress.maxBodyBytes | quote }}
nginx.ingress.kubernetes.io/proxy-buffering: "on"
nginx.ingress.kubernetes.io/proxy-request-buffering: "on"
{{- else if eq .ingress.controller "traefik" -}}
traefik.ingress.kubernetes.io/router.middlewares: {{ printf "%s-%s-%s@kubernetescrd" .root.Release.Namespace (include "ponte.fullname" .root) .ingress.name | quote }}
{{- else if not .ingress.annotations -}}
{{- fail "ingresses: a controller that is not nginx or traefik needs annotations that set the largest body (maxBodyBytes) and buffer requests and responses" -}}
{{- end -}}
{{- end }}

{{/* The groups of alerts of this release. Prometheus may see several installations, so each series is selected by the namespace, and each alert names it. */}}
{{- define "ponte.alertGroups" -}}
{{- /* runbook_url is a URL if monitoring.runbooks is one. */ -}}
{{- $runbooks := printf "%s/" (.Values.monitoring.runbooks | default "docs/operations" | trimSuffix "/") -}}
{{- $groups := (fromYaml (.Values.platform.alerts | replace "docs/operations/" $runbooks)).groups -}}
{{- $matcher := printf "namespace=%q" .Release.Namespace -}}
{{- range $group := $groups -}}
{{- range $rule := $group.rules -}}
{{- /* First the metrics with matchers, then those without. */ -}}
{{- $matched := regexReplaceAll "\\b(ponte_\\w+|nodejs_\\w+|up)\\{" $rule.expr (printf "${1}{%s," $matcher) -}}
{{- $all := regexReplaceAll "\\b(ponte_\\w+|nodejs_\\w+|up)([^\\w{]|$)" $matched (printf "${1}{%s}${2}" $matcher) -}}
{{- $_ := set $rule "expr" $all -}}
{{- $_ := set $rule "labels" (merge (dict "namespace" $.Release.Namespace) $rule.labels) -}}
{{- end -}}
{{- end -}}
{{- toYaml $groups -}}
{{- end }}
