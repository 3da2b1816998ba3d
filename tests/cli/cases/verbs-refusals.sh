# farmem-verbs: what cannot be is refused before anything is tried, with the reason.
verbs client a --transport ud --op write
verbs client a --transport uc --op read
verbs client a --transport uc --op cas
verbs client a --transport uc --setup cm
verbs client a --transport uc --op write --wait event
verbs client a --op fadd --size 16
verbs client a --op cas --sge 2
verbs client a --op read --inline
verbs client a --op write --remote-sge 2
verbs client a --op send --mw
verbs client a --op write-imm --transport uc --mw
verbs client a --op read --srq
verbs client a --op read --initiator-depth 0
verbs client a --signal-every 32
verbs client a --order
verbs client a --order --queues 2 --op fadd
verbs client a --order --queues 2 --signal-every 2
verbs client a --share shm
verbs client a --share fork --processes 2 --setup cm
verbs client a --share import --processes 2 --setup cm
verbs client a --show rkey --processes 2
verbs client a --gid-index 3 --setup cm
verbs client a --show rejected
verbs client a --show rnr --rnr-retry 7
verbs client a --show rkey --transport uc
verbs client a --size 64M
verbs client a --show rkey --size all
verbs client a --show length --size 1
verbs client a --show rejected --setup cm --queues 2
verbs client 127.0.0.1 --port 1 --connect-timeout 1
verbs sweep 127.0.0.1 --port 1 --connect-timeout 1
