{{/* The pod of the migration. A Job is immutable: its name contains the digest of this, and of what the pod reads by name. */}}
{{- define "ponte.migrationPod" -}}
metadata:
  labels:
    app.kubernetes.io/name: {{ include "ponte.fullname" . }}-migration
    app.kubernetes.io/instance: {{ .Release.Name }}
    app.kubernetes.io/part-of: ponte
    ponte/job: migration
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext: {{- include "ponte.podSecurity" . | nindent 4 }}
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  containers:
    - name: migrate
      image: {{ include "ponte.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [main.js, migrate]
      securityContext: {{- include "ponte.containerSecurity" . | nindent 8 }}
      # By value, because the ConfigMap does not exist yet at the first installation.
      env:
        {{- include "ponte.engines" . | nindent 8 }}
        {{- range $name, $value := .Values.config }}
        - {name: {{ $name }}, value: {{ $value | quote }}}
        {{- end }}
      resources:
        requests: {cpu: 100m, memory: {{ .Values.resources.memoryMi }}Mi}
        limits: {memory: {{ .Values.resources.memoryMi }}Mi}
      volumeMounts: {{- include "ponte.engineMounts" . | nindent 8 }}
  volumes:
    {{- include "ponte.scratchData" . | nindent 4 }}
    {{- include "ponte.engineVolumes" . | nindent 4 }}
    {{- if .Values.files }}
    - name: files
      configMap:
        name: {{ include "ponte.fullname" . }}-migrate-files
    {{- end }}
{{- end }}

{{- define "ponte.migrationDigest" -}}
{{ printf "%s\n%s\n%s" (include "ponte.migrationPod" .) (toYaml .Values.files) .Values.secrets.revision | sha256sum | trunc 8 }}
{{- end }}
