# Help at every level, versions, and how misuse is answered.
ctl --help
ctl volume --help
ctl volume help
ctl volume create --help
ctl session create help
ctl stats --help
ctl server list -h
ctl --version
