# nft's rules in a table of iptables, which iptables-save loses or tells in part: they
# are taken from nft, and only what nft hides from iptables-save.
# shellcheck source=tests/cli/firewall.sh
. "$here/firewall.sh"
filter_make

recorded "a rule whose match is lost" iptables-mixed
recorded "a chain that is lost" iptables-mixed-chain
record iptables-services
fake iptables-nft-save <<<"grep -v -- '--dport 22' '$here/rulesets/iptables-services.save4'"
sick "another number of rules"
fake iptables-nft-save <<<'echo "# Table '"'filter'"' is incompatible, use nft tool."'
sick "a table that iptables does not know any more"
ruleset "a statement that is no statement" drop "\"what\",$accept"
