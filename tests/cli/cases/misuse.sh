# Exit code 2, nothing on stdout, and the help to read.
ctl bogus
ctl volume bogus
# The word that was meant is named, if few letters of it are wrong.
ctl volum
ctl vloume list
ctl sessionn --help
ctl volume hsow
ctl volume del
ctl volume listlistlistlistlistlistlistlistlist
ctl volume bist
ctl server realese
ctl server sthop
ctl volume list --jsn
ctl volume create data --sise=4G
ctl volume create data --srever 10.0.0.2
ctl server stop --yes
verbs client ADDR --iteratons 5
ctl volume create
ctl volume create data
ctl volume create data --size 4G
ctl volume create data --size 4G --server 10.0.0.2 --session s
ctl volume create data --size 4GB --server 10.0.0.2
ctl volume create data --size 0 --server 10.0.0.2
ctl volume create data --size -4G --server 10.0.0.2
ctl volume create data --size 99999999999999999999 --server 10.0.0.2
ctl volume create a/b --size 4G --server 10.0.0.2
ctl volume create "" --size 4G --server 10.0.0.2
ctl volume create .data --size 4G --server 10.0.0.2
ctl volume create abcdefghijklmnopqrstuvwxyz0123456 --size 4G --server 10.0.0.2
ctl volume create data extra --size 4G --server 10.0.0.2
ctl volume create data --size
ctl volume create data --colour
ctl volume list -x
ctl volume list --json -xy
ctl volume list --json=5
ctl volume list -o name,bogus
ctl volume show
ctl stats --interval 0
ctl stats --interval soon
ctl stats --count 3
ctl stats --interval 1 --count 0
ctl stats --interval 1 --count 1.5
ctl server release
ctl session create s
ctl volume create data --size 4G --server '[fe80::1'
ctl volume create data --size 4G --server 10.0.0.2:
asked
left
