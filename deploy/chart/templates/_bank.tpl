{{/* The name of a setting of a bank that is simulated, or nothing. The code simulates each bank that is not set. */}}
{{- define "ponte.simulatesBank" -}}
{{- if and .Values.workload (eq .Values.service "ledger") -}}
{{- if eq (get .Values.config "LEDGER_PIX_RAIL" | default "simulator") "simulator" -}}
LEDGER_PIX_RAIL
{{- else if eq (get .Values.config "LEDGER_PAYOUT_RAIL" | default "simulator") "simulator" -}}
LEDGER_PAYOUT_RAIL
{{- end -}}
{{- end -}}
{{- end }}

{{/* A simulated bank has one process at a time, and its books outlive a pod. */}}
{{- define "ponte.oneBankProcess" -}}
{{- with include "ponte.simulatesBank" . -}}
{{- if or (ne $.Values.autoscaling.by "none") (gt (int $.Values.replicas) 1) -}}
{{- fail (printf "config.%s: a simulated bank allows one replica of the ledger: set autoscaling.by to none and replicas to 1, or name a real bank" .) -}}
{{- end -}}
{{- if not $.Values.simulatedBank.claim -}}
{{- fail (printf "config.%s: a simulated bank without a volume loses its books with its pod: name a PersistentVolumeClaim in simulatedBank.claim, or a real bank" .) -}}
{{- end -}}
{{- end -}}
{{- end }}
