# The doctor on the rulesets that ufw, firewalld and iptables-services make: rulesets/.
# shellcheck source=tests/cli/firewall.sh
. "$here/firewall.sh"
filter_make

recorded "ufw" ufw
recorded "ufw, port allowed" ufw-allowed
recorded "ufw, switched off again" ufw-disabled
record ufw
fake iptables-nft-save <<<'exit 127'
sick "ufw, and no iptables to ask"
recorded "firewalld" firewalld
recorded "firewalld, port allowed" firewalld-allowed
recorded "firewalld, port allowed in another zone" firewalld-zone
put "$root/etc/sysconfig/nftables.conf" ''
recorded "iptables-services" iptables-services
recorded "iptables-services, port allowed" iptables-services-allowed
recorded "iptables with much, but nothing against the port" iptables-harmless
recorded "iptables with the same, and then against it" iptables-reject

# The rules for IPv6 are others.
sed -i 's/^address.*/address	fd00::2/' "$box/visit"
known --server '[fd00::2]'
recorded "ufw, IPv6" ufw --server '[fd00::2]'
recorded "ufw, port allowed, IPv6" ufw-allowed --server '[fd00::2]'
recorded "firewalld, IPv6" firewalld --server '[fd00::2]'
recorded "firewalld, port allowed, IPv6" firewalld-allowed --server '[fd00::2]'
recorded "iptables-services, IPv6" iptables-services --server '[fd00::2]'
recorded "iptables-services, port allowed, IPv6" iptables-services-allowed --server '[fd00::2]'
recorded "iptables of IPv4 rejects, IPv6" iptables-reject --server '[fd00::2]'
