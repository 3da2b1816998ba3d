# Which filters a packet meets: those of its IP version, and of its interface.
# shellcheck source=tests/cli/firewall.sh
. "$here/firewall.sh"
filter_make
gids=$sys/class/infiniband/rxe0/ports/1/gids

echo "== the device has addresses of IPv4 only"
family=ip ruleset "IPv4 drops" drop
family=ip6 ruleset "IPv6 drops" drop
family=bridge ruleset "a bridge drops" drop

echo "== of both"
put "$gids/2" fd00:0000:0000:0000:0000:0000:0000:0001
put "${gids%gids}gid_attrs/types/2" 'RoCE v2'
known
family=inet ruleset "both drop" drop
family=ip6 ruleset "IPv6 drops" drop
family=ip6 ruleset "IPv6 may drop" drop '{"xt":{"type":"match","name":"recent"}},'"$accept"
args=--fix family=ip6 ruleset "IPv6 drops, and --fix leaves that" drop
changed
known --server 10.0.0.2
args="--server 10.0.0.2" family=ip6 ruleset "IPv6 drops, the server has IPv4" drop
args="--server 10.0.0.2" family=ip ruleset "IPv4 drops, the server has IPv4" drop
record iptables-services
sick "each has a table of its own, and drops"

echo "== of IPv6 only"
rm "$gids/1"
known
family=ip6 ruleset "IPv6 drops" drop
family=ip ruleset "IPv4 drops" drop

echo "== of neither: both are looked at"
rm "$gids/2"
known
family=ip ruleset "IPv4 drops" drop

echo "== chains of interfaces"
put "$gids/1" 0000:0000:0000:0000:0000:ffff:0a00:0001
known
family=netdev hook=ingress dev='"eth1"' ruleset "of another" drop
family=netdev hook=ingress dev='"eth0"' ruleset "of this one" drop
family=netdev hook=ingress dev='["eth1","eth0"]' ruleset "of several" drop
cp -r "$sys/class/infiniband/rxe0" "$sys/class/infiniband/rxe1"
put "$sys/class/infiniband/rxe1/ports/1/gid_attrs/ndevs/0" eth1
put "$sys/class/infiniband/rxe1/ports/1/gid_attrs/ndevs/1" eth1
known
ruleset "only one of RDMA's two is let through" drop "$(into '"eth0"'),$accept"
rm -r "$sys/class/infiniband/rxe1"
known
rm "$sys/class/infiniband/rxe0/parent" "$sys/class/infiniband/rxe0/ports/1/gid_attrs/ndevs/"*
family=netdev hook=ingress dev='"eth1"' ruleset "of one, and RDMA's is not known" drop
