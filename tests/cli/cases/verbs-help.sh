# farmem-verbs: help of all commands, and how misuse is answered.
verbs --help
verbs server --help
verbs client --help
verbs sweep --help
verbs explain --help
verbs --version
verbs
verbs measure
verbs client
verbs client a b
verbs client a --op peek
verbs client a --depth 0
verbs client a --size 0
verbs client a --size 128M
verbs client a --device
verbs client a --once
verbs client a -xy
verbs client a --verify=1
verbs server here
verbs explain
verbs explain 12 -J
