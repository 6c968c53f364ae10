{{/* What a process may reach, according to the values: the peers of network.egress, and public addresses. */}}
{{- define "ponte.egress" -}}
{{- range $name := .Values.network.egress }}
{{- $peer := required (printf "peers.%s" $name) (index $.Values.peers $name) }}
- to: {{- include "ponte.peer" $peer | nindent 4 }}
  ports:
    - {port: {{ $peer.port }}, protocol: TCP}
{{- end }}
{{- with .Values.network.internet }}
# Only public addresses: not the cluster, private networks or the metadata service of the cloud.
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, 192.168.0.0/16, 198.18.0.0/15, 224.0.0.0/4, 240.0.0.0/4]
    - ipBlock:
        # Global unicast, without the ranges that can embed a private IPv4 address.
        cidr: 2000::/3
        except: ["2001::/32", "2002::/16"]
  ports:
    {{- range . }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
{{- end }}
{{- end }}
